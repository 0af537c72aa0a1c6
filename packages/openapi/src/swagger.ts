import { isObject } from "@toolingua/core/adapters";
import type { Fields } from "./fields.js";

/**
 * Converts an OpenAPI 2.0 (Swagger) document to 3.0, by `@scalar/openapi-upgrader`. Referenced bodies are inlined
 * first, because in 3.0 a body is not a parameter, and a reference from the parameters would lead nowhere.
 */
export async function fromSwagger(document: Fields): Promise<Fields> {
  const { upgradeFromTwoToThree } = await import("@scalar/openapi-upgrader/2.0-to-3.0");
  const copy = structuredClone(document);
  const shared = isObject(copy.parameters) ? copy.parameters : {};
  for (const item of Object.values(isObject(copy.paths) ? copy.paths : {})) {
    if (!isObject(item)) continue;
    for (const owner of [item, ...Object.values(item).filter(isObject)]) {
      if (Array.isArray(owner.parameters)) owner.parameters = owner.parameters.map((one) => bodyInPlace(one, shared));
    }
  }
  return upgradeFromTwoToThree(copy) as unknown as Fields;
}

function bodyInPlace(parameter: unknown, shared: Fields): unknown {
  const name = isObject(parameter) ? /^#\/parameters\/(.+)$/.exec(String(parameter.$ref))?.[1] : undefined;
  const target = name === undefined ? undefined : shared[name.replaceAll("~1", "/").replaceAll("~0", "~")];
  const isBody = isObject(target) && (target.in === "body" || target.in === "formData");
  return isBody ? structuredClone(target) : parameter;
}
