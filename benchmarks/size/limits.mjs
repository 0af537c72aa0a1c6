// What is measured, and the KB (1000 bytes) that an entry may take; the peer's have no limit.
// MiniMax M3, whose tags have a mark, is the only user of its reader: 3 KB of all protocols and of the main entry. The mark is
// 0.2 KB of every protocol with elements.
export const limits = [
  { entry: "hermes", what: "`parseReply` and `hermes` (JSON)", limit: 109 },
  { entry: "qwen3-coder", what: "`parseReply` and `qwen3Coder` (XML)", limit: 119 },
  { entry: "several", what: "`parseReply` and four protocols", limit: 126 },
  { entry: "all", what: "`parseReply` and `protocols`: `auto`", limit: 202 },
  { entry: "main", what: "`parseReply` of the main entry", limit: 214 },
  { entry: "peer-hermes", what: "`hermesProtocol` of the peer" },
  { entry: "peer-all", what: "the peer's three protocols" },
];
