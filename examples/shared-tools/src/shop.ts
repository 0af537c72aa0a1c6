import { ToolSpec, tool } from "@toolingua/tools";
import { z } from "zod";

/** What a shop knows, as tools. Nothing here knows of a framework. */
export class Shop extends ToolSpec {
  /** Which tools were used, and how often. */
  readonly used: string[] = [];
  readonly #orders = new Map([
    ["1042", "was shipped on 3 March"],
    ["1043", "waits for its payment"],
  ]);
  readonly #prices = new Map([
    ["lamp", 24],
    ["kettle", 31],
    ["chair", 85],
  ]);

  @tool({
    description: "Tells how far an order is",
    schema: z.object({ order: z.string().describe("The number of the order") }),
  })
  order_status({ order }: { order: string }) {
    this.used.push(`order_status ${order}`);
    return `Order ${order} ${this.#orders.get(order) ?? "is not known"}.`;
  }

  @tool({
    description: "Tells what a product costs",
    schema: z.object({ product: z.string().describe("Its name, in the singular") }),
  })
  price({ product }: { product: string }) {
    this.used.push(`price ${product}`);
    const price = this.#prices.get(product.toLowerCase());
    return price === undefined ? `There is no ${product} in the shop.` : `A ${product} costs ${price} euros.`;
  }
}
