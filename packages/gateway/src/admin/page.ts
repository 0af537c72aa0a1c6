import { html } from "hono/html";
import type { ServedModel } from "../models/served-model.js";
import type { ErrorRecord } from "../operation/error-record.js";
import type { Readiness } from "../operation/readiness.js";
import type { RequestRecord } from "../operation/request-record.js";
import type { Activity } from "./activity.js";

/** The page runs no scripts and loads nothing, whatever the names in it contain. */
export const pageHeaders = {
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

/** How much of an error message is shown, in characters. */
const SHOWN = 300;

/** The admin page: the models, their activity, and the last failures as in the log. */
export const adminPage = (
  models: readonly ServedModel[],
  readiness: Readiness,
  activity: Activity,
) => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Toolingua</title>
<style>
  body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem; color-scheme: light dark }
  table { border-collapse: collapse; width: 100% }
  th, td { text-align: left; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid #8884; vertical-align: top; overflow-wrap: anywhere }
  .number { text-align: right; font-variant-numeric: tabular-nums }
  .unreachable { color: #c22 }
</style>
</head>
<body>
<h1>Toolingua</h1>
<h2>Models</h2>
<table>
<thead><tr><th>Model</th><th>Also called</th><th>State</th><th class="number">Requests</th><th class="number">Failed</th>
<th class="number">Calls</th><th class="number">Asked again</th></tr></thead>
<tbody>${models.map((model) => modelRow(model, readiness.models[model.name], activity))}</tbody>
</table>
<h2>Last failures</h2>
${failureTable(activity.failures)}
</body>
</html>`;

function modelRow({ name, aliases }: ServedModel, state: string | undefined, activity: Activity) {
  const { requests, failed, calls, retries } = activity.of(name);
  return html`<tr><td>${name}</td><td>${aliases.join(", ")}</td><td class="${state}">${state}</td>
${[requests, failed, calls, retries].map((count) => html`<td class="number">${count}</td>`)}</tr>
`;
}

function failureTable(failures: readonly RequestRecord[]) {
  if (failures.length === 0) return html`<p>None.</p>`;
  return html`<table>
<thead><tr><th>When</th><th>Request</th><th>API</th><th>Key</th><th>Model</th><th>Status</th><th>Failure</th></tr></thead>
<tbody>${failures.map(
    ({
      time,
      requestId,
      api,
      key,
      model,
      status,
      error,
    }) => html`<tr><td>${time}</td><td>${requestId}</td><td>${api}</td><td>${key}</td>
<td>${model}</td><td>${status}</td><td>${wordsOf(error!)}</td></tr>
`,
  )}</tbody>
</table>`;
}

/** A failure as one line. */
function wordsOf({ kind, code, param, message }: ErrorRecord): string {
  const names = [kind, code, param].filter((name) => name !== undefined);
  return `${names.join(", ")}: ${message.split("\n")[0]!.slice(0, SHOWN)}`;
}
