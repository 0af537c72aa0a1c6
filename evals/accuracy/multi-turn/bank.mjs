// Accounts at a bank, people to pay, and a card.
import { number, oneNamed, text, tool, whole } from "./world.mjs";

const accountOf = ({ accounts }, name) => oneNamed("account", Object.keys(accounts), name);

/** Subtracts the amount from the account. */
function take(bank, account, amount) {
  const from = accountOf(bank, account);
  const there = bank.accounts[from];
  if (amount <= 0) throw new Error("The amount must be above 0.");
  if (amount > there) throw new Error(`Not enough: the account ${from} has ${there}. Nothing was paid.`);
  bank.accounts[from] -= amount;
}

export const bank = {
  start: {
    accounts: { current: 500, savings: 1200, holiday: 80 },
    people: { Ana: "XX10 4400", "Green Power": "XX77 0091" },
    payments: [],
    card: { status: "active", limit: 1000 },
  },
  tools: {
    balance: tool("How much is on an account", { account: text() }, (bank, { account }) => ({
      balance: bank.accounts[accountOf(bank, account)],
    })),
    transfer: tool(
      "Moves money between own accounts",
      { from: text(), to: text(), amount: number() },
      (bank, { from, to, amount }) => {
        take(bank, from, amount);
        bank.accounts[accountOf(bank, to)] += amount;
      },
    ),
    pay: tool("Pays someone", { person: text(), account: text("to pay from"), amount: number() }, (bank, given) => {
      const person = oneNamed("person", Object.keys(bank.people), given.person);
      take(bank, given.account, given.amount);
      bank.payments.push({ person, amount: given.amount });
    }),
    add_person: tool("Adds someone to pay", { name: text(), number: text("of the account") }, (bank, given) => {
      bank.people[given.name] = given.number;
    }),
    block_card: tool("Blocks the card", {}, (bank) => {
      bank.card.status = "blocked";
    }),
    set_card_limit: tool("Sets how much the card may spend in a day", { limit: whole() }, (bank, { limit }) => {
      if (limit > 2000) throw new Error("The limit is 2000 at most.");
      bank.card.limit = limit;
    }),
  },
  scenarios: [
    {
      level: 1,
      tools: ["block_card"],
      turns: [["I have lost my card. Block it.", ["block_card", {}]], ["Thank you. That was quick."]],
    },
    {
      level: 1,
      tools: ["set_card_limit"],
      turns: [["Hello!"], ["Set the limit of my card to 300.", ["set_card_limit", { limit: 300 }]]],
    },
    {
      level: 2,
      tools: ["balance", "transfer"],
      turns: [
        [
          "Move 100 from the current account to savings.",
          ["transfer", { from: "current", to: "savings", amount: 100 }],
        ],
        ["And half as much from current to holiday.", ["transfer", { from: "current", to: "holiday", amount: 50 }]],
      ],
    },
    {
      level: 2,
      tools: ["balance", "transfer", "pay"],
      turns: [
        ["How much is on the holiday account?", ["balance", { account: "holiday" }]],
        ["Move all of it to savings.", ["transfer", { from: "holiday", to: "savings", amount: 80 }]],
        ["Good. Nothing else for today."],
      ],
    },
    {
      level: 3,
      tools: ["balance", "transfer", "pay", "add_person"],
      turns: [
        ["Pay 40 to Ben, from the current account.", ["pay", { person: "Ben", account: "current", amount: 40 }]],
        [
          "His account is XX31 2200.",
          ["add_person", { name: "Ben", number: "XX31 2200" }],
          ["pay", { person: "Ben", account: "current", amount: 40 }],
        ],
        ["Did he get it?"],
      ],
    },
    {
      level: 3,
      tools: ["balance", "transfer", "pay", "block_card", "set_card_limit"],
      turns: [
        [
          "Pay 620 to Green Power from the current account. If that is too much, get what is missing from savings first.",
          ["pay", { person: "Green Power", account: "current", amount: 620 }],
          ["transfer", { from: "savings", to: "current", amount: 120 }],
          ["pay", { person: "Green Power", account: "current", amount: 620 }],
        ],
        ["How much is left in savings?", ["balance", { account: "savings" }]],
        ["Put a third of that on the holiday account.", ["transfer", { from: "savings", to: "holiday", amount: 360 }]],
        [
          "And allow my card 2500 a day, or what is possible.",
          ["set_card_limit", { limit: 2500 }],
          ["set_card_limit", { limit: 2000 }],
        ],
      ],
    },
  ],
};
