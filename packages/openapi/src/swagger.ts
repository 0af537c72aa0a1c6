import { isObject } from "@toolingua/core/adapters";
import type { Fields } from "./fields.js";
import { METHODS } from "./known-keys.js";
import { isMultipart, isUrlEncoded } from "./media-types.js";

/**
 * Converts an OpenAPI 2.0 (Swagger) document to 3.0, by `@scalar/openapi-upgrader`. Referenced bodies are inlined
 * first, because in 3.0 a body is not a parameter, and a reference from the parameters would lead nowhere. The fields of a
 * form become a body first, because the upgrader keeps only their types and descriptions.
 */
export async function fromSwagger(document: Fields): Promise<Fields> {
  const { upgradeFromTwoToThree } = await import("@scalar/openapi-upgrader/2.0-to-3.0");
  const copy = structuredClone(document);
  const shared = isObject(copy.parameters) ? copy.parameters : {};
  const encodings: [path: string, method: string, encoding: Fields][] = [];
  for (const [path, item] of Object.entries(isObject(copy.paths) ? copy.paths : {})) {
    if (!isObject(item)) continue;
    for (const owner of [item, ...Object.values(item).filter(isObject)]) {
      if (Array.isArray(owner.parameters)) owner.parameters = owner.parameters.map((one) => bodyInPlace(one, shared));
    }
    const ofPath = withoutFields(item);
    for (const method of METHODS) {
      const operation = item[method];
      if (!isObject(operation)) continue;
      const fields = [...ofPath, ...withoutFields(operation)];
      if (fields.length > 0) encodings.push([path, method, formInPlace(operation, fields, copy.consumes)]);
    }
  }
  const upgraded: unknown = upgradeFromTwoToThree(copy);
  for (const [path, method, encoding] of encodings) {
    const steps = ["paths", path, method, "requestBody", "content"];
    const content = steps.reduce<unknown>((part, step) => Object(part)[step], upgraded);
    for (const media of Object.values(Object(content))) if (isObject(media)) media.encoding = encoding;
  }
  return isObject(upgraded) ? upgraded : {};
}

function bodyInPlace(parameter: unknown, shared: Fields): unknown {
  const name = isObject(parameter) ? /^#\/parameters\/(.+)$/.exec(String(parameter.$ref))?.[1] : undefined;
  const target = name === undefined ? undefined : shared[name.replaceAll("~1", "/").replaceAll("~0", "~")];
  const isBody = isObject(target) && (target.in === "body" || target.in === "formData");
  return isBody ? structuredClone(target) : parameter;
}

/** Takes the fields of a form out of the parameters. */
function withoutFields(owner: Fields): Fields[] {
  if (!Array.isArray(owner.parameters)) return [];
  const isField = (one: unknown): one is Fields =>
    isObject(one) && one.in === "formData" && typeof one.name === "string";
  const fields = owner.parameters.filter(isField);
  owner.parameters = owner.parameters.filter((one) => !isField(one));
  return fields;
}

/** Gives an operation the fields of its form as a body. Returns how its lists are written, as in 3.0. */
function formInPlace(operation: Fields, fields: readonly Fields[], consumes: unknown): Fields {
  const hasFile = fields.some(({ type }) => type === "file");
  const given: unknown[] = [operation.consumes ?? consumes].flat();
  const forms = given.filter((type) => isMultipart(String(type)) || (!hasFile && isUrlEncoded(String(type))));
  const usual = hasFile ? "multipart/form-data" : "application/x-www-form-urlencoded";
  operation.consumes = forms.length > 0 ? forms : [usual];
  const properties = fields.map(({ name, in: _, required, collectionFormat, allowEmptyValue, ...schema }) => {
    return [String(name), schema.type === "file" ? { ...schema, type: "string", format: "binary" } : schema] as const;
  });
  const required = fields.filter((field) => field.required === true).map(({ name }) => name);
  const schema = {
    type: "object",
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
  };
  const others = Array.isArray(operation.parameters) ? operation.parameters : [];
  operation.parameters = [...others, { name: "body", in: "body", required: required.length > 0, schema }];
  const lists = fields.filter(({ type }) => type === "array");
  return Object.fromEntries(
    lists.map(({ name, collectionFormat = "csv" }) => [name, STYLES[String(collectionFormat)]]),
  );
}

/** How 3.0 writes the lists of 2.0; separated by tabs it writes none. */
const STYLES: Record<string, Fields> = {
  csv: { style: "form", explode: false },
  ssv: { style: "spaceDelimited", explode: false },
  pipes: { style: "pipeDelimited", explode: false },
  multi: { style: "form", explode: true },
};
