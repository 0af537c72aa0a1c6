// Notes: titles with lines below.
import { addOnce, oneNamed, text, tool } from "./world.mjs";

const titleOf = ({ notes }, title) => oneNamed("note", Object.keys(notes), title);
const title = text("of the note");

export const notes = {
  start: {
    notes: {
      Shopping: ["milk", "eggs", "soap"],
      Garden: ["water the tomatoes", "cut the hedge"],
      "Gift ideas": ["a scarf for Lena", "a kite for Tom"],
      Old: ["call the plumber"],
    },
    pinned: [],
  },
  tools: {
    list_notes: tool("The titles of all notes", {}, ({ notes }) => Object.keys(notes)),
    read_note: tool("The lines of a note", { title }, (book, { title }) => book.notes[titleOf(book, title)]),
    find_notes: tool("The titles of the notes with this word", { word: text() }, ({ notes }, { word }) =>
      Object.keys(notes).filter((title) => notes[title].join("\n").toLowerCase().includes(word.toLowerCase())),
    ),
    create_note: tool("Creates an empty note", { title }, (book, { title }) => {
      if (Object.hasOwn(book.notes, title)) throw new Error(`There is a note "${title}" already.`);
      book.notes[title] = [];
    }),
    add_line: tool("Adds a line to a note", { title, line: text() }, (book, { title, line }) => {
      book.notes[titleOf(book, title)].push(line);
    }),
    remove_line: tool("Removes a line of a note", { title, line: text() }, (book, given) => {
      const title = titleOf(book, given.title);
      const line = oneNamed("line", book.notes[title], given.line);
      book.notes[title] = book.notes[title].filter((one) => one !== line);
    }),
    pin_note: tool("Pins a note", { title }, (book, { title }) => {
      addOnce(book.pinned, titleOf(book, title));
    }),
    delete_note: tool("Deletes a note", { title }, (book, { title }) => {
      delete book.notes[titleOf(book, title)];
    }),
  },
  scenarios: [
    {
      level: 1,
      tools: ["pin_note"],
      turns: [
        ["Pin the note Shopping.", ["pin_note", { title: "Shopping" }]],
        ["Pin the note Garden, too.", ["pin_note", { title: "Garden" }]],
      ],
    },
    {
      level: 1,
      tools: ["create_note"],
      turns: [["Create a note with the title Films.", ["create_note", { title: "Films" }]], ["Great, thanks."]],
    },
    {
      level: 2,
      tools: ["add_line", "remove_line", "read_note"],
      turns: [
        ["Add “butter” to the note Shopping.", ["add_line", { title: "Shopping", line: "butter" }]],
        ["“flour” as well.", ["add_line", { title: "Shopping", line: "flour" }]],
        ["I have the eggs already.", ["remove_line", { title: "Shopping", line: "eggs" }]],
      ],
    },
    {
      level: 2,
      tools: ["find_notes", "read_note", "pin_note", "delete_note"],
      turns: [
        ["Which of my notes is about a plumber?", ["find_notes", { word: "plumber" }]],
        ["He was here. Delete that note.", ["delete_note", { title: "Old" }]],
      ],
    },
    {
      level: 3,
      tools: ["list_notes", "read_note", "create_note", "add_line", "remove_line"],
      turns: [
        [
          "Add “two onions” to the note Soup. Create it if there is none.",
          ["add_line", { title: "Soup", line: "two onions" }],
          ["create_note", { title: "Soup" }],
          ["add_line", { title: "Soup", line: "two onions" }],
        ],
        ["How many notes do I have now?", ["list_notes", {}]],
        ["Add “salt” to the new one.", ["add_line", { title: "Soup", line: "salt" }]],
      ],
    },
    {
      level: 3,
      tools: ["list_notes", "find_notes", "read_note", "create_note", "add_line", "remove_line", "pin_note"],
      turns: [
        ["What did I want to give to Tom?", ["find_notes", { word: "Tom" }], ["read_note", { title: "Gift ideas" }]],
        [
          "He has one. Take that line out and write “a drum for Tom” in its place.",
          ["remove_line", { title: "Gift ideas", line: "a kite for Tom" }],
          ["add_line", { title: "Gift ideas", line: "a drum for Tom" }],
        ],
        ["Do you think he will like it?"],
        ["Pin that note.", ["pin_note", { title: "Gift ideas" }]],
      ],
    },
  ],
};
