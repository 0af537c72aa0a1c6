// Fifty tools as applications have them: two sentences or one, one to seven arguments, a list, an object or an
// enumeration here and there. The first three and the first ten are a fair sample of all.

const string = (description, more) => ({ type: "string", description, ...more });
const integer = (description, minimum, maximum, more) => ({
  type: "integer",
  ...(description && { description }),
  ...(minimum !== undefined && { minimum }),
  ...(maximum !== undefined && { maximum }),
  ...more,
});
const number = (description, more) => ({ type: "number", description, ...more });
const boolean = (description, more) => ({ type: "boolean", description, ...more });
const oneOf = (description, ...values) => ({ type: "string", ...(description && { description }), enum: values });
const list = (description, items, more) => ({ type: "array", description, items, ...more });
const object = (properties, description) => ({
  type: "object",
  ...(description && { description }),
  ...schema(properties),
});
/** An argument that may be left out. */
const optional = (property) => ({ optional: true, property });

function schema(properties) {
  const entries = Object.entries(properties);
  return {
    properties: Object.fromEntries(entries.map(([key, value]) => [key, value.optional ? value.property : value])),
    required: entries.filter(([, value]) => !value.optional).map(([key]) => key),
  };
}

const tool = (name, description, properties) => ({
  name,
  description,
  parameters: { type: "object", ...schema(properties), additionalProperties: false },
});

const plain = { type: "string" };
const date = (description) => string(description, { format: "date" });
const limit = (what) => optional(integer(`How many ${what} at most`, 1, 100, { default: 20 }));
const place = object({ latitude: number("Degrees north"), longitude: number("Degrees east") }, "Where to look");

export const tools = [
  tool("get_weather", "Reports the weather in a city, now or on one of the next days.", {
    city: string("Name of the city, in English"),
    country: optional(string("Country code of two letters, where the city's name is not enough")),
    days: optional(integer("How many days ahead", 0, 14, { default: 0 })),
    units: optional(oneOf("Units of temperature and wind", "metric", "imperial")),
  }),
  tool("send_email", "Sends an email from the user's account. It cannot be taken back.", {
    to: list("Addresses of the recipients", { type: "string", format: "email" }, { minItems: 1 }),
    subject: string("The subject line"),
    body: string("The text, in plain words"),
    cc: optional(list("Addresses that get a copy", { type: "string", format: "email" })),
    attachments: optional(list("Paths of files to attach", plain)),
    priority: optional(oneOf("How urgent it is", "low", "normal", "high")),
  }),
  tool("search_flights", "Finds flights between two airports on a day, the cheapest first.", {
    from: string("Airport of departure, by its IATA code", { pattern: "^[A-Z]{3}$" }),
    to: string("Airport of arrival, by its IATA code", { pattern: "^[A-Z]{3}$" }),
    date: date("The day of departure"),
    return_date: optional(date("The day of the flight back; without it, one way")),
    passengers: optional(integer("Number of passengers", 1, 9, { default: 1 })),
    cabin: optional(oneOf("Class of the cabin", "economy", "premium_economy", "business", "first")),
    max_stops: optional(integer("How often one may have to change", 0, 3)),
  }),
  tool("create_event", "Puts an event into the user's calendar and invites others to it.", {
    title: string("What the event is called"),
    start: string("When it begins", { format: "date-time" }),
    end: string("When it ends", { format: "date-time" }),
    attendees: optional(
      list("Who is invited", object({ email: string("Address"), optional: optional(boolean("Need not come")) })),
    ),
    location: optional(string("Where it takes place: an address, a room or a link")),
    reminders: optional(list("Minutes before the event at which to remind", { type: "integer" })),
  }),
  tool("query_database", "Runs a read-only SQL query on the company's warehouse. Fails for queries that write.", {
    sql: string("The query, in PostgreSQL's dialect"),
    parameters: optional(list("Values for $1, $2 and so on", { type: ["string", "number", "boolean", "null"] })),
    timeout_seconds: optional(integer("When to give up", 1, 300, { default: 30 })),
  }),
  tool("create_issue", "Opens an issue in a repository of the user's organisation.", {
    repository: string("The repository, as owner/name"),
    title: string("One line that says what is wrong"),
    body: string("Steps, what was expected, what happened; in Markdown"),
    labels: optional(list("Labels to give it", plain, { uniqueItems: true })),
    assignees: optional(list("User names of who is to do it", plain)),
    milestone: optional(integer("Number of the milestone", 1)),
  }),
  tool("read_file", "Reads a text file of the project and gives back its lines.", {
    path: string("Path of the file, from the root of the project"),
    first_line: optional(integer("Line to begin with", 1, undefined, { default: 1 })),
    last_line: optional(integer("Line to end with; default is the last", 1)),
  }),
  tool("transfer_money", "Moves money between two accounts of the user. Asks for confirmation above 1000.", {
    from_account: string("IBAN of the account that pays"),
    to_account: string("IBAN of the account that receives"),
    amount: number("How much", { exclusiveMinimum: 0 }),
    currency: oneOf("Its currency", "EUR", "USD", "GBP", "CHF", "JPY"),
    reference: optional(string("What it is for", { maxLength: 140 })),
    on: optional(date("When; without it, today")),
  }),
  tool("set_lights", "Switches and dims the lights of a room.", {
    room: oneOf("Which room", "kitchen", "bedroom", "living_room", "bathroom", "office"),
    on: boolean("Whether they are to be on"),
    brightness: optional(integer("Per cent of full brightness", 1, 100)),
    colour: optional(object({ red: integer("", 0, 255), green: integer("", 0, 255), blue: integer("", 0, 255) })),
  }),
  tool("search_web", "Searches the web and gives back titles, addresses and excerpts.", {
    query: string("What to look for, in a few words"),
    count: optional(integer("How many results", 1, 20, { default: 5 })),
    freshness: optional(oneOf("How old a page may be", "day", "week", "month", "year", "any")),
    sites: optional(list("Only pages of these sites", plain)),
  }),
  tool("list_events", "Lists the events of the user's calendar between two days.", {
    from: date("First day"),
    to: date("Last day"),
    calendar: optional(string("Name of the calendar", { default: "personal" })),
  }),
  tool("delete_event", "Removes an event from the calendar and tells those invited.", {
    event_id: string("Identifier of the event, as list_events gives it"),
    message: optional(string("What to write to those who were invited")),
  }),
  tool("find_free_time", "Finds times at which everybody is free.", {
    people: list("Email addresses", plain, { minItems: 1 }),
    minutes: integer("How long the meeting is", 5, 480),
    within_days: optional(integer("How many days ahead to look", 1, 30, { default: 7 })),
  }),
  tool("search_email", "Searches the user's mail.", {
    query: string("Words that the mail must hold"),
    from: optional(string("Address of the sender")),
    folder: optional(oneOf("Where to look", "inbox", "sent", "archive", "spam", "all")),
    after: optional(date("Only mail after this day")),
    limit: limit("mails"),
  }),
  tool("read_email", "Gives back one mail with its headers and text.", {
    email_id: string("Identifier of the mail, as search_email gives it"),
    include_attachments: optional(boolean("Whether attachments are given back as well", { default: false })),
  }),
  tool("archive_email", "Moves mails into the archive.", {
    email_ids: list("Identifiers of the mails", plain, { minItems: 1, maxItems: 50 }),
  }),
  tool("write_file", "Writes a text file of the project. What was there before is replaced.", {
    path: string("Path of the file, from the root of the project"),
    content: string("The whole text"),
    create_folders: optional(boolean("Whether folders that are missing are made", { default: true })),
  }),
  tool("edit_file", "Replaces passages of a file. Each passage must occur exactly once.", {
    path: string("Path of the file"),
    edits: list(
      "The changes, in any order",
      object({ old_text: string("The passage as it is"), new_text: string("What stands there afterwards") }),
      { minItems: 1 },
    ),
  }),
  tool("list_files", "Lists the files of a folder.", {
    path: string("Path of the folder"),
    recursive: optional(boolean("Whether folders inside are listed as well")),
    pattern: optional(string("Only names that match this glob")),
  }),
  tool("search_code", "Searches the project's files with a regular expression.", {
    pattern: string("The expression, in the syntax of ripgrep"),
    path: optional(string("Folder to search in", { default: "." })),
    ignore_case: optional(boolean("Whether upper and lower case are the same")),
    context_lines: optional(integer("Lines to show around each hit", 0, 10)),
  }),
  tool("run_command", "Runs a shell command in the project's folder and gives back what it prints.", {
    command: string("The command line"),
    timeout_ms: optional(integer("When to stop it, in milliseconds", 100, 600000, { default: 60000 })),
    environment: optional({
      type: "object",
      description: "Environment variables to set",
      additionalProperties: plain,
    }),
  }),
  tool("run_tests", "Runs the project's tests and reports which fail.", {
    files: optional(list("Only tests in these files", plain)),
    name: optional(string("Only tests whose name holds this")),
  }),
  tool("comment_on_issue", "Writes a comment under an issue.", {
    repository: string("The repository, as owner/name"),
    number: integer("Number of the issue", 1),
    body: string("The comment, in Markdown"),
  }),
  tool("list_issues", "Lists the issues of a repository, the newest first.", {
    repository: string("The repository, as owner/name"),
    state: optional(oneOf("Which issues", "open", "closed", "all")),
    labels: optional(list("Only issues that have all of these labels", plain)),
    limit: limit("issues"),
  }),
  tool("merge_pull_request", "Merges a pull request whose checks have passed.", {
    repository: string("The repository, as owner/name"),
    number: integer("Number of the pull request", 1),
    method: optional(oneOf("How its commits are merged", "merge", "squash", "rebase")),
  }),
  tool("deploy", "Deploys a version of a service to an environment.", {
    service: string("Name of the service"),
    version: string("Version, tag or commit"),
    environment: oneOf("Where to", "staging", "production"),
    strategy: optional(oneOf("How traffic moves over", "rolling", "blue_green", "canary")),
  }),
  tool("read_logs", "Gives back a service's log lines.", {
    service: string("Name of the service"),
    since_minutes: optional(integer("How far back, in minutes", 1, 1440, { default: 15 })),
    level: optional(oneOf("The least severe level", "debug", "info", "warn", "error")),
    contains: optional(string("Only lines that hold this text")),
  }),
  tool("get_metrics", "Gives back a metric of a service over time.", {
    service: string("Name of the service"),
    metric: oneOf("What to measure", "latency_p50", "latency_p99", "error_rate", "requests", "cpu", "memory"),
    from: string("Begin of the time", { format: "date-time" }),
    to: string("End of the time", { format: "date-time" }),
    step_seconds: optional(integer("Distance between two values", 10, 86400)),
  }),
  tool("search_products", "Searches the shop's catalogue.", {
    query: string("What the customer wants, in their words"),
    category: optional(string("Only products of this category")),
    max_price: optional(number("Highest price, in euros", { minimum: 0 })),
    in_stock: optional(boolean("Only what can be sent at once")),
    sort: optional(oneOf("Order of the results", "relevance", "price", "rating", "newest")),
  }),
  tool("get_product", "Gives back all that is known of one product.", {
    sku: string("The product's number", { pattern: "^[0-9]{8}$" }),
  }),
  tool("add_to_cart", "Puts products into the customer's cart.", {
    items: list("What and how many", object({ sku: string("The product's number"), quantity: integer("", 1, 99) })),
  }),
  tool("place_order", "Orders what is in the cart.", {
    address: object(
      {
        name: string("Who receives it"),
        street: string("Street and number"),
        postcode: string("Postal code"),
        city: string("City"),
        country: string("Country code of two letters"),
      },
      "Where to send it",
    ),
    payment: oneOf("How it is paid", "card", "invoice", "paypal"),
    gift: optional(boolean("Wrapped, and without a price")),
  }),
  tool("get_order", "Reports where an order is.", { order_id: string("Number of the order") }),
  tool("cancel_order", "Cancels an order that was not sent yet.", {
    order_id: string("Number of the order"),
    reason: optional(oneOf("Why", "mistake", "too_late", "cheaper_elsewhere", "other")),
  }),
  tool("refund", "Gives back money for an order, or for a part of it.", {
    order_id: string("Number of the order"),
    amount: optional(number("How much, in euros; without it, all", { minimum: 0.01 })),
    reason: string("Why, for the books"),
  }),
  tool("find_customer", "Finds customers by name, email or phone.", {
    query: string("A part of the name, the email or the phone number"),
    limit: limit("customers"),
  }),
  tool("update_customer", "Changes what is known of a customer. What is left out stays as it is.", {
    customer_id: string("Identifier of the customer"),
    email: optional(string("Email address", { format: "email" })),
    phone: optional(string("Phone number, with the country's code")),
    tags: optional(list("Tags, in place of those there are", plain)),
    newsletter: optional(boolean("Whether they want the newsletter")),
  }),
  tool("create_ticket", "Opens a support ticket.", {
    customer_id: string("Identifier of the customer"),
    subject: string("One line on what it is about"),
    description: string("What the customer said"),
    urgency: optional(integer("From 1, not urgent, to 5, at once", 1, 5, { default: 3 })),
  }),
  tool("translate", "Translates a text.", {
    text: string("The text"),
    to: string("Code of the language to translate into, such as de or pt-BR"),
    from: optional(string("Code of the text's language; without it, it is found out")),
    formality: optional(oneOf("Tone of the translation", "formal", "informal")),
  }),
  tool("summarise", "Sums up a long document.", {
    url: string("Address of the document", { format: "uri" }),
    sentences: optional(integer("Length of the summary", 1, 20, { default: 5 })),
  }),
  tool("convert_currency", "Converts an amount at the rate of a day.", {
    amount: number("How much"),
    from: string("Code of the currency it is in"),
    to: string("Code of the currency wanted"),
    date: optional(date("The day whose rate counts; without it, today")),
  }),
  tool("get_stock_price", "Gives back the price of a share.", {
    symbol: string("Ticker symbol"),
    interval: optional(oneOf("Distance between two prices", "1m", "1h", "1d", "1w")),
    days: optional(integer("How many days back", 1, 365)),
  }),
  tool("list_transactions", "Lists the bookings of an account.", {
    account: string("IBAN of the account"),
    from: optional(date("First day")),
    to: optional(date("Last day")),
    min_amount: optional(number("Only bookings of at least this much")),
    category: optional(oneOf("Only bookings of this kind", "food", "rent", "travel", "salary", "other")),
  }),
  tool("book_hotel", "Books a room in a hotel.", {
    hotel_id: string("Identifier of the hotel, as search_hotels gives it"),
    check_in: date("Day of arrival"),
    check_out: date("Day of departure"),
    guests: integer("How many people", 1, 8),
    room: optional(oneOf("Kind of room", "single", "double", "twin", "suite")),
    requests: optional(string("What the hotel should know")),
  }),
  tool("search_hotels", "Finds hotels in a city, by price.", {
    city: string("Name of the city"),
    check_in: date("Day of arrival"),
    check_out: date("Day of departure"),
    stars: optional(integer("At least so many stars", 1, 5)),
    amenities: optional(list("What it must have", oneOf("", "wifi", "parking", "pool", "gym", "breakfast"))),
  }),
  tool("get_directions", "Finds the way between two places.", {
    origin: string("Where to begin: an address or the name of a place"),
    destination: string("Where to go"),
    mode: optional(oneOf("How to travel", "car", "bicycle", "foot", "transit")),
    depart_at: optional(string("When to leave", { format: "date-time" })),
    avoid: optional(list("What to keep away from", oneOf("", "tolls", "motorways", "ferries"))),
  }),
  tool("find_places", "Finds restaurants, shops and sights near a point.", {
    around: place,
    kind: string("What to find, such as cafe or museum"),
    radius_metres: optional(integer("How far away", 50, 50000, { default: 1000 })),
    open_now: optional(boolean("Only what is open")),
  }),
  tool("play_music", "Plays a song, an album or a list.", {
    query: string("What to play, in the user's words"),
    device: optional(string("Where to play it")),
    volume: optional(integer("Per cent of full volume", 0, 100)),
    shuffle: optional(boolean("Whether the order is random")),
  }),
  tool("set_thermostat", "Sets the temperature of a room.", {
    room: oneOf("Which room", "kitchen", "bedroom", "living_room", "bathroom", "office"),
    celsius: number("Degrees", { minimum: 5, maximum: 30, multipleOf: 0.5 }),
    until: optional(string("When to go back to the programme", { format: "date-time" })),
  }),
  tool("set_reminder", "Reminds the user of something at a time or a place.", {
    text: string("What to be reminded of"),
    when: {
      description: "At a time, or on coming to a place",
      anyOf: [
        object({ time: string("The time", { format: "date-time" }) }),
        object({ place: string("Name of the place") }),
      ],
    },
    repeat: optional(oneOf("How often", "never", "daily", "weekly", "monthly")),
  }),
];
