// A separate process, because a schema that it cannot compile may end it: receives schemas and texts, sends verdicts.
import { Grammar, Testings } from "@toolingua/benchmark-peers/xgrammar.mjs";

process.on("message", async ({ schema, texts }) => {
  try {
    const begun = performance.now();
    const grammar = await Grammar.fromJSONSchema(JSON.stringify(schema), true, undefined, undefined, false);
    const us = (performance.now() - begun) * 1000;
    const verdicts = [];
    for (const text of texts) verdicts.push(await Testings.isGrammarAcceptString(grammar, text));
    grammar.dispose();
    process.send({ us, verdicts });
  } catch (error) {
    process.send({ error: String(error?.message ?? error) });
  }
});
process.send({});
