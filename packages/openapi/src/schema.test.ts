import { normalizeTools, validateValue } from "@toolingua/core";
import { describe, expect, test } from "vitest";
import { document, parameter, run, serveApi, toolOf } from "../test/api.js";
import { openApiTools } from "./index.js";

serveApi();

describe("the schema of a tool's arguments", () => {
  const bodyOf = async (schema: object, more: object = {}, openapi = "3.1.0") => {
    const requestBody = { content: { "application/json": { schema } } };
    const whole = { ...document({ "/x": { post: { requestBody } } }, more), openapi };
    const [tool] = await openApiTools(whole);
    normalizeTools([tool!]);
    return tool!.parameters as { properties: { body: object }; $defs?: Record<string, object> };
  };
  const reference = { $ref: "#/components/schemas/Node" };
  const node = { type: "object", properties: { next: reference, value: { type: "integer" } } };

  test("contains a recursive schema once", async () => {
    const parameters = await bodyOf(reference, { components: { schemas: { Node: node } } });
    expect(parameters).toMatchObject({
      properties: { body: { $ref: "#/$defs/Node" } },
      $defs: { Node: { properties: { next: { $ref: "#/$defs/Node" } } } },
    });
    const good = { body: { value: 1, next: { next: { value: 2 } } } };
    expect(validateValue(good, parameters)).toEqual([]);
    expect(validateValue({ body: { next: { value: "x" } } }, parameters)).toHaveLength(1);
  });

  test("inlines a schema that is used once, and defines one that is used twice", async () => {
    const schemas = {
      Once: { type: "string", description: "An address" },
      Twice: { type: "object", properties: { a: { $ref: "#/components/schemas/Once", description: "Mine" } } },
    };
    const twice = { $ref: "#/components/schemas/Twice" };
    const parameters = await bodyOf({ properties: { one: twice, other: twice } }, { components: { schemas } });
    expect(parameters.$defs).toEqual({
      Twice: { type: "object", properties: { a: { type: "string", description: "Mine" } } },
    });
  });

  test("is JSON Schema, whatever OpenAPI 3.0 wrote", async () => {
    const schema = {
      type: "object",
      required: ["id", "age", "kind"],
      properties: {
        id: { type: "string", readOnly: true },
        age: { type: "integer", minimum: 0, exclusiveMinimum: true, nullable: true, example: 3, "x-order": 1 },
        kind: { type: "string", enum: ["a"], nullable: true, xml: { name: "k" } },
        example: { type: "string", default: "an example", writeOnly: true },
      },
      discriminator: { propertyName: "kind" },
    };
    expect((await bodyOf(schema, {}, "3.0.3")).properties.body).toEqual({
      type: "object",
      required: ["age", "kind"],
      properties: {
        age: { type: ["integer", "null"], exclusiveMinimum: 0 },
        kind: { type: ["string", "null"], enum: ["a", null] },
        example: { type: "string", default: "an example" },
      },
    });
  });

  test("allows null where OpenAPI 3.0 or Swagger do, also next to a reference", async () => {
    const schemas = { Ref: { type: "object", properties: { a: { type: "string" } } } };
    const ref = { $ref: "#/components/schemas/Ref" };
    const properties = {
      part: { nullable: true, allOf: [ref], description: "A part" },
      typed: { type: "object", nullable: true, allOf: [{ type: "object" }] },
      beside: { ...ref, nullable: true },
      listed: { nullable: true, enum: ["a"] },
      swagger: { type: "string", "x-nullable": true },
      never: { allOf: [ref] },
    };
    const parameters = await bodyOf({ type: "object", properties }, { components: { schemas } }, "3.0.3");
    for (const key of Object.keys(properties)) {
      expect(validateValue({ body: { [key]: null } }, parameters)).toHaveLength(key === "never" ? 1 : 0);
      expect(validateValue({ body: { [key]: 7 } }, parameters)).not.toEqual([]);
    }
    const { part } = (parameters.properties.body as { properties: Record<string, object> }).properties;
    expect(part).toMatchObject({ description: "A part" });
  });

  test("omits properties that only the server sets, also if another part requires them", async () => {
    const schemas = {
      Base: { type: "object", properties: { id: { type: "string", readOnly: true } } },
      Strict: { type: "object", required: ["id", "n"], properties: { id: { type: "string" }, n: { type: "integer" } } },
    };
    const [base, strict] = ["Base", "Strict"].map((name) => ({ $ref: `#/components/schemas/${name}` }));
    const whole = { allOf: [base, strict, { required: ["id"] }], required: ["id"] };
    const parameters = await bodyOf({ properties: { whole, strict } }, { components: { schemas } });
    expect(validateValue({ body: { whole: { n: 1 } } }, parameters)).toEqual([]);
    expect(validateValue({ body: { whole: {} } }, parameters)).toHaveLength(1);
    expect(validateValue({ body: { strict: { n: 1 } } }, parameters)).toHaveLength(1);
    expect(JSON.stringify(parameters).match(/"id"/g)).toHaveLength(2);
  });

  test("leaves a reference in an example as data", async () => {
    const schema = { type: "object", example: { $ref: "https://nowhere.invalid/x" }, default: { $ref: "#/y" } };
    expect((await bodyOf(schema)).properties.body).toEqual({ type: "object", default: { $ref: "#/y" } });
  });

  test("renames parameters of one name by their place", async () => {
    const tool = await toolOf(
      { parameters: ["path", "query"].map((place) => parameter("id", place)), requestBody: { content: { "a/b": {} } } },
      "/x/{id}",
      { method: "put" },
    );
    expect(await run(tool, { id_path: 1, id_query: 2, body: "b" })).toMatchObject({ url: "/v1/x/1?id=2", body: "b" });
    const refused = (args: object) => run(tool, { id_path: 1, id_query: 2, body: "b", ...args });
    const message = 'The argument "id_path" is part of the path and must not be empty.';
    expect(await refused({ id_path: "" })).toMatchObject({ code: "invalid-arguments", message });
  });

  test("names a renamed header as the model knows it, if its value cannot be sent", async () => {
    const tool = await toolOf({ parameters: ["header", "query"].map((place) => parameter("id", place)) });
    const message = String.raw`The argument "id_header" is not valid in the header "id": "a\nb"`;
    expect(await run(tool, { id_header: "a\nb" })).toMatchObject({ code: "invalid-arguments", message });
  });
});
