import type { Context } from "hono";
import { auth } from "hono/utils/basic-auth";
import type { ReadinessProbe } from "../operation/readiness.js";
import type { Setup } from "../operation/setup.js";
import type { Activity } from "./activity.js";
import { adminPage, pageHeaders } from "./page.js";

/** The data of the admin page. */
interface AdminSources {
  setup: Setup;
  readiness: ReadinessProbe;
  activity: Activity;
}

/**
 * `GET /`: the admin page, if it is configured. A gateway with keys asks for one: in a header, or as the password that
 * a browser asks its user for.
 */
export async function adminRoute(c: Context, { setup, readiness, activity }: AdminSources): Promise<Response> {
  if (!setup.admin) return c.notFound();
  const basic = auth(c.req.raw);
  try {
    setup.keys.holderOf(basic ? new Headers({ "x-api-key": basic.password }) : c.req.raw.headers);
  } catch (error) {
    c.header("www-authenticate", 'Basic realm="toolingua", charset="UTF-8"');
    throw error;
  }
  const { models } = setup.models;
  return c.html(adminPage(models, await readiness.get(models), activity), 200, pageHeaders);
}
