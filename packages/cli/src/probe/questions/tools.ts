import type { ToolDefinition } from "@toolingua/core";

// The tools of the questions: small, from many domains, and with all types of arguments.

const tool = (
  name: string,
  description: string,
  properties: Record<string, object>,
  required: readonly string[] = Object.keys(properties),
): ToolDefinition => ({
  name,
  description,
  parameters: { type: "object", properties, required: [...required], additionalProperties: false },
});
const text = (description: string) => ({ type: "string", description });
const integer = (description: string) => ({ type: "integer", description });
const number = (description: string) => ({ type: "number", description });
const flag = (description: string) => ({ type: "boolean", description });
const oneOf = (description: string, ...values: string[]) => ({ type: "string", enum: values, description });
const texts = (description: string) => ({ type: "array", items: { type: "string" }, description });

export const tools = {
  weather: tool(
    "get_weather",
    "The current weather of a city.",
    { city: text("Name of the city"), unit: oneOf("Unit of the temperature", "celsius", "fahrenheit") },
    ["city"],
  ),
  forecast: tool("get_forecast", "The weather of the coming days in a city.", {
    city: text("Name of the city"),
    days: integer("How many days, 1 to 14"),
  }),
  timer: tool(
    "set_timer",
    "Starts a timer that rings when the time is over.",
    { minutes: integer("How many minutes"), label: text("What the timer is for") },
    ["minutes"],
  ),
  alarm: tool("set_alarm", "Sets an alarm for a time of the day.", {
    hour: integer("Hour, 0 to 23"),
    minute: integer("Minute, 0 to 59"),
  }),
  light: tool("set_light", "Turns the light of a room on or off.", {
    room: oneOf("The room", "kitchen", "bedroom", "bathroom", "hall"),
    on: flag("true: on; false: off"),
  }),
  heating: tool("set_heating", "Sets the temperature of a room in degrees Celsius.", {
    room: oneOf("The room", "kitchen", "bedroom", "bathroom", "hall"),
    degrees: number("Degrees Celsius"),
  }),
  convert: tool("convert_currency", "Converts an amount of money into another currency.", {
    amount: number("The amount"),
    from: text("Three letters of the currency, such as EUR"),
    to: text("Three letters of the other currency, such as USD"),
  }),
  stock: tool("get_stock_price", "The latest price of a share.", { symbol: text("Ticker symbol, such as MSFT") }),
  flights: tool(
    "search_flights",
    "Finds flights between two cities.",
    {
      from: text("City of departure"),
      to: text("City of arrival"),
      date: text("Date as YYYY-MM-DD"),
      direct: flag("Only flights without a stop"),
    },
    ["from", "to", "date"],
  ),
  hotel: tool("book_hotel", "Books a hotel room.", {
    city: text("Name of the city"),
    nights: integer("How many nights"),
    guests: integer("How many guests"),
  }),
  event: tool(
    "create_event",
    "Puts an event into the calendar.",
    { title: text("Title"), date: text("Date as YYYY-MM-DD"), attendees: texts("First names of who takes part") },
    ["title", "date"],
  ),
  message: tool("send_message", "Sends a text message to somebody.", {
    to: text("First name of who gets it"),
    text: text("The words of the message"),
  }),
  play: tool("play_music", "Plays a song.", { artist: text("The artist"), title: text("Title of the song") }),
  volume: tool("set_volume", "Sets the volume of the speaker.", { percent: integer("0 to 100") }),
  translate: tool("translate", "Translates a text.", {
    text: text("The text"),
    language: text("Name of the language to translate into, in English"),
  }),
  todo: tool(
    "add_todo",
    "Adds an entry to the list of things to do.",
    { task: text("What is to be done"), priority: oneOf("How important it is", "low", "normal", "high") },
    ["task"],
  ),
  shopping: tool("add_to_shopping_list", "Adds things to the shopping list.", { items: texts("The things") }),
  order: tool("get_order_status", "Where an order is.", { order_id: text("Number of the order, such as A-1001") }),
  refund: tool("refund_order", "Pays an order back.", { order_id: text("Number of the order, such as A-1001") }),
  contact: tool("add_contact", "Adds somebody to the address book.", {
    name: text("First name"),
    address: {
      type: "object",
      description: "Where the person lives",
      properties: { street: text("Street and number"), city: text("City") },
      required: ["street", "city"],
      additionalProperties: false,
    },
  }),
} satisfies Record<string, ToolDefinition>;
