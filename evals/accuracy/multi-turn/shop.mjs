// A shop: a stock, a cart, vouchers and orders of at least 20.
import { addOnce, oneNamed, oneOf, text, tool, whole } from "./world.mjs";

const productOf = ({ products }, name) => oneNamed("product", Object.keys(products), name);
const totalOf = ({ cart, products }) =>
  Object.entries(cart).reduce((sum, [name, quantity]) => sum + quantity * products[name].price, 0);

export const shop = {
  start: {
    products: {
      tea: { price: 4.5, stock: 10 },
      coffee: { price: 8, stock: 3 },
      honey: { price: 6, stock: 5 },
      bread: { price: 3, stock: 0 },
      rice: { price: 2.5, stock: 20 },
      "olive oil": { price: 11, stock: 4 },
    },
    cart: { rice: 2 },
    vouchers: [],
    orders: [],
  },
  tools: {
    show_product: tool("The price of a product, and how many there are", { product: text() }, (shop, { product }) => {
      return shop.products[productOf(shop, product)];
    }),
    show_cart: tool("What is in the cart, and what it costs", {}, (shop) => ({
      cart: shop.cart,
      total: totalOf(shop),
    })),
    add_to_cart: tool("Puts a product into the cart", { product: text(), quantity: whole() }, (shop, given) => {
      const product = productOf(shop, given.product);
      const quantity = (shop.cart[product] ?? 0) + given.quantity;
      const { stock } = shop.products[product];
      if (given.quantity < 1) throw new Error("The quantity must be 1 or more.");
      if (quantity > stock) throw new Error(`There are only ${stock} of ${product}. Nothing was put into the cart.`);
      shop.cart[product] = quantity;
    }),
    remove_from_cart: tool("Takes a product out of the cart, all of it", { product: text() }, (shop, { product }) => {
      delete shop.cart[oneNamed("product in the cart", Object.keys(shop.cart), product)];
    }),
    apply_voucher: tool("Uses a voucher", { code: text() }, (shop, { code }) => {
      if (/^spring/i.test(code)) throw new Error(`${code} is no longer valid. Use SUMMER7 in its place.`);
      addOnce(shop.vouchers, code);
    }),
    order: tool("Orders what is in the cart", { payment: oneOf("card", "invoice") }, (shop, { payment }) => {
      const total = totalOf(shop);
      if (total < 20) throw new Error(`An order must come to 20.00 or more; the cart comes to ${total.toFixed(2)}.`);
      shop.orders.push({ products: shop.cart, payment });
      shop.cart = {};
      return { total };
    }),
  },
  scenarios: [
    {
      level: 1,
      tools: ["apply_voucher"],
      turns: [["Use the voucher MAY10.", ["apply_voucher", { code: "MAY10" }]], ["Thank you!"]],
    },
    {
      level: 1,
      tools: ["add_to_cart"],
      turns: [
        ["Put 2 tea into my cart.", ["add_to_cart", { product: "tea", quantity: 2 }]],
        ["And 1 honey.", ["add_to_cart", { product: "honey", quantity: 1 }]],
      ],
    },
    {
      level: 2,
      tools: ["show_cart", "add_to_cart", "remove_from_cart"],
      turns: [
        ["What is in my cart?", ["show_cart", {}]],
        [
          "Take that out, and put 3 coffee in.",
          ["remove_from_cart", { product: "rice" }],
          ["add_to_cart", { product: "coffee", quantity: 3 }],
        ],
      ],
    },
    {
      level: 2,
      tools: ["show_product", "add_to_cart", "apply_voucher"],
      turns: [
        ["What does honey cost?", ["show_product", { product: "honey" }]],
        ["Then put as many into my cart as I can pay with 20.", ["add_to_cart", { product: "honey", quantity: 3 }]],
        [
          "I have a voucher, SPRING5. If it does not work, take the one they offer.",
          ["apply_voucher", { code: "SPRING5" }],
          ["apply_voucher", { code: "SUMMER7" }],
        ],
      ],
    },
    {
      level: 3,
      tools: ["show_product", "show_cart", "add_to_cart", "remove_from_cart", "order"],
      turns: [
        [
          "Add 5 coffee to my cart. If there are not so many, take all there are.",
          ["add_to_cart", { product: "coffee", quantity: 5 }],
          ["add_to_cart", { product: "coffee", quantity: 3 }],
        ],
        ["Order that, by invoice.", ["order", { payment: "invoice" }]],
        ["Great, thank you."],
      ],
    },
    {
      level: 3,
      tools: ["show_product", "show_cart", "add_to_cart", "apply_voucher", "order"],
      turns: [
        [
          "Add 2 tea to what I have, and order it, by card.",
          ["add_to_cart", { product: "tea", quantity: 2 }],
          ["order", { payment: "card" }],
        ],
        [
          "Then one honey more, and order it.",
          ["add_to_cart", { product: "honey", quantity: 1 }],
          ["order", { payment: "card" }],
        ],
      ],
    },
  ],
};
