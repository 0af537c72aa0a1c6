import { isObject } from "@toolingua/core/adapters";
import { Failure } from "../failure.js";

/** The query of a list: https://platform.openai.com/docs/api-reference/responses/input-items */
export interface ListQuery {
  limit?: string | undefined;
  order?: string | undefined;
  after?: string | undefined;
}

/**
 * A page of the input items of a response, the last item first unless `order` is `asc`. An item without an id gets one from its
 * place.
 *
 * Errors: {@link Failure} `invalid` for a `limit` that is not from 1 to 100, an unknown `order`, and an unknown id in `after`.
 *
 * @example inputItemsPage(stored.input, { limit: "1" }); // { object: "list", data: [{ id: "item_3", … }], has_more: true, … }
 */
export function inputItemsPage(input: readonly unknown[], { limit = "20", order = "desc", after }: ListQuery): object {
  if (!/^(?:[1-9]\d?|100)$/.test(limit)) throw wrong("limit", "must be a whole number from 1 to 100");
  if (order !== "asc" && order !== "desc") throw wrong("order", 'must be "asc" or "desc"');
  const items = input.map(listed);
  if (order === "desc") items.reverse();
  const begin = after === undefined ? 0 : items.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && begin === 0) throw wrong("after", "must be the id of an input item");
  const end = begin + Number(limit);
  const data = items.slice(begin, end);
  return {
    object: "list",
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: end < items.length,
  };
}

function listed(item: unknown, index: number): { id: string } {
  const { id, type = "message", ...fields } = isObject(item) ? item : {};
  const { content, role } = fields;
  return {
    id: typeof id === "string" ? id : `item_${index}`,
    type,
    ...fields,
    ...(typeof content === "string" && {
      content: [{ type: role === "assistant" ? "output_text" : "input_text", text: content }],
    }),
  } as { id: string };
}

const wrong = (param: string, mustBe: string) =>
  new Failure("invalid", `\`${param}\` ${mustBe}.`, { param, code: "invalid_value" });
