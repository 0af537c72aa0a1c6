import { quoted } from "../../json.js";
import { type Check, pass, unseen } from "../check.js";
import { type ApiName, among, type Breaks } from "../clients.js";

/** A request as a client sends it, which a server must accept. */
export interface Shape {
  request: string;
  says: string;
  breaks: Breaks;
  source?: string;
}

/** One check for each client's request. */
export const shapeChecks = (api: ApiName, shapes: readonly Shape[]): Check[] =>
  shapes.map(({ request, says, breaks, source }) => ({
    id: `${api}.takes.${request.toLowerCase().replace(/[^a-z]+/g, "-")}`,
    title: `Takes: ${request}`,
    level: "fault",
    says,
    source: source ?? "https://platform.openai.com/docs/api-reference/chat/create",
    breaks: among(api, breaks),
    judge({ shapes: asked }, level) {
      const exchange = asked.find(({ name }) => name === request)?.exchange;
      if (!exchange) return unseen("it was not asked");
      const { status, text, problem, ending } = exchange;
      if (status >= 200 && status < 300 && ending === "complete") return pass(`${status}`);
      return { status: level, seen: status === 0 ? (problem ?? ending) : `${status}: ${quoted(text)}` };
    },
  }));
