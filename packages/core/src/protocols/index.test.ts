import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { getProtocol, knownProtocol, protocolForModel, protocols } from "./index.js";

const models: Record<string, string[]> = {
  hermes: [
    "qwen2.5:7b-instruct-q4_K_M",
    "Qwen/Qwen2.5-7B-Instruct",
    "qwen/qwen-2.5-72b-instruct",
    "qwen3:8b",
    "Qwen/Qwen3-30B-A3B-Instruct-2507",
    "@cf/qwen/qwen2.5-coder-32b-instruct",
    "qwen.qwen3-32b-v1:0",
    "qwq:32b",
    "NousResearch/Hermes-3-Llama-3.1-8B",
    "@hf/nousresearch/hermes-2-pro-mistral-7b",
    "hf.co/bartowski/Qwen2.5-14B-Instruct-GGUF:Q4_K_M",
    "HuggingFaceTB/SmolLM3-3B",
    "XiaomiMiMo/MiMo-7B-RL",
    "arcee-ai/Trinity-Mini",
    "arcee-ai/trinity-large-preview:free",
    "internlm/Intern-S1-Pro",
    "tencent/Youtu-LLM-2B",
    "Nanbeige/Nanbeige4.1-3B",
    "Qwen/Qwen3-Next-80B-A3B-Instruct",
    "inclusionAI/Ling-2.5-1T",
    "inclusionAI/Ling-flash-2.0",
    "inclusionAI/Ring-1T",
    "inclusionAI/Ring-2.5-1T",
    "JetBrains/Mellum2-12B-A2.5B-Instruct",
    "stepfun-ai/Step3-VL-10B",
    "kolibri1:8b",
    "Qwen/Qwen-7B-Chat",
    "Qwen/Qwen-14B-Chat",
    "qwen-1.8b-chat",
  ],
  "qwen3-coder": [
    "qwen3-coder:30b",
    "qwen/qwen3-coder:free",
    "Qwen/Qwen3-Coder-480B-A35B-Instruct",
    "qwen.qwen3-coder-30b-a3b-v1:0",
    "Qwen/Qwen3.5-4B",
    "Qwen/Qwen3.6-35B-A3B-FP8",
    "qwen3.8:27b",
    "qwen/qwen3.8-max",
    "stepfun-ai/Step-3.7-Flash",
    "openbmb/MiniCPM-V-4.6",
    "PrimeIntellect/INTELLECT-3",
    "nemotron-3.5-nano",
    "nvidia.nemotron-super-3-120b",
    "nvidia/Nemotron-Cascade-2-30B-A3B",
    "stepfun-ai/Step-3.5-Flash",
    "nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16",
    "arcee-ai/trinity-large-thinking:free",
    "internlm/Intern-S2-397B",
    "IQuestLab/IQuest-Coder-V1-40B-Instruct",
  ],
  "llama3-json": [
    "llama3.1:8b-instruct-q4_K_M",
    "meta-llama/Llama-3.1-8B-Instruct",
    "Meta-Llama-3.1-70B-Instruct-GGUF",
    "meta-llama/llama-3.3-70b-instruct:free",
    "@cf/meta/llama-3.1-8b-instruct",
    "@cf/meta/llama-3.3-70b-instruct-fp8-fast",
    "us.meta.llama3-1-8b-instruct-v1:0",
    "meta.llama3-3-70b-instruct-v1:0",
    "meta-llama/Llama-3.2-11B-Vision-Instruct",
    "llama3.2:3b",
    "meta.llama3-2-1b-instruct-v1:0",
    "nemotron:70b",
    "@cf/meta/llama-3.2-3b-instruct",
  ],
  pythonic: [
    "meta-llama/Llama-4-Scout-17B-16E-Instruct",
    "us.meta.llama4-scout-17b-instruct-v1:0",
    "@cf/meta/llama-4-scout-17b-16e-instruct",
    "Team-ACE/ToolACE-2-Llama-3.1-8B",
  ],
  mistral: [
    "mistral-small3.2:24b",
    "mistralai/Mistral-Small-3.2-24B-Instruct-2506",
    "mistralai/devstral-small",
    "devstral:24b",
    "magistral:24b",
    "ministral-3:14b",
    "mistralai/Ministral-3-8B-Instruct-2512",
    "mistralai/mistral-medium-3",
    "mistral-small-2603",
    "ministral-8b-2512",
    "mistral.mistral-large-3-675b-instruct",
    "mistralai/Voxtral-Small-24B-2507",
    "mistral.voxtral-mini-3b-2507",
  ],
  "mistral-list": [
    "mistral",
    "mistral:7b",
    "mistral-nemo:12b",
    "mistralai/Mistral-7B-Instruct-v0.3",
    "mistralai/mistral-nemo",
    "@cf/mistralai/mistral-small-3.1-24b-instruct",
    "mistral.mistral-large-2402-v1:0",
    "mixtral:8x22b",
    "mistralai/Ministral-8B-Instruct-2410",
    "mistralai/ministral-3b",
  ],
  "json-list": ["Salesforce/Llama-xLAM-2-8b-fc-r", "Salesforce/xLAM-2-3b-fc-r", "MadeAgents/Hammer2.1-7b"],
  "deepseek-v3": [
    "deepseek-v3:671b",
    "deepseek-r1:7b",
    "deepseek/deepseek-chat-v3-0324:free",
    "deepseek/deepseek-chat",
    "deepseek-ai/DeepSeek-R1-0528",
    "us.deepseek.r1-v1:0",
    "@cf/deepseek-ai/deepseek-r1-distill-qwen-32b",
    "deepseek-v3-250324",
    "deepseek-v3-241226",
  ],
  "deepseek-v31": [
    "deepseek-v3.1:671b",
    "deepseek/deepseek-chat-v3.1",
    "deepseek-ai/DeepSeek-V3.1-Terminus",
    "deepseek.v3-v1:0",
  ],
  "deepseek-v32": ["deepseek-ai/DeepSeek-V3.2", "deepseek/deepseek-v3.2-exp", "deepseek.v3.2"],
  "deepseek-v4": ["deepseek-ai/DeepSeek-V4", "deepseek-v4-128k"],
  "deepseek-v41": ["deepseek-ai/DeepSeek-V4.1-Flash", "deepseek/deepseek-v4.1-pro"],
  glm45: [
    "zai-org/GLM-4.6",
    "z-ai/glm-4.5-air:free",
    "glm-4.7-flash",
    "zai-org/GLM-5.1",
    "poolside/Laguna-XS.2",
    "poolside/laguna-m.1:free",
    "naver-hyperclovax/HyperCLOVAX-SEED-Think-32B",
    "zai-org/GLM-5.3-Flash",
    "inclusionAI/Ling-3.0-flash",
    "iflytek/Spark2.5",
    "mindlab-research/Macaron-V1-Coding-Venti",
    "zai-org/Glyph",
  ],
  "solar-open": ["upstage/Solar-Open-100B"],
  "solar-open2": ["upstage/Solar-Open2-250B"],
  "minimax-m1": ["MiniMaxAI/MiniMax-M1-80k", "minimax/minimax-m1"],
  "hunyuan-v4": ["tencent/Hy4-preview"],
  gigachat35: ["ai-sage/GigaChat3.5-432B-A28B"],
  "pangu-v2": ["openpangu/openPangu-2.0-Flash"],
  pangu: [
    "openpangu/openPangu-Embedded-7B-V1.1",
    "openPangu-Embedded-7B-DeepDiver",
    "openPangu-DeepDiver-V2-38B",
    "openPangu-R-72B-2512",
    "FreedomIntelligence/openPangu-Ultra-MoE-718B",
  ],
  glm4: ["glm4:9b", "zai-org/glm-4-9b-chat", "THUDM/GLM-4-32B-0414"],
  "kimi-k2": [
    "kimi-k2:1t-cloud",
    "moonshotai/kimi-k2-0905",
    "moonshot.kimi-k2-thinking",
    "moonshotai/Kimi-K2.5",
    "moonshotai/Kimi-Linear-48B-A3B-Instruct",
  ],
  "kimi-k3": ["moonshotai/Kimi-K3", "kimi-k3:cloud"],
  granite: ["granite3.3:8b", "ibm-granite/granite-3.1-8b-instruct"],
  granite4: ["granite4:micro", "ibm-granite/granite-4.0-h-small", "@cf/ibm-granite/granite-4.0-h-micro"],
  "granite-20b": ["ibm-granite/granite-20b-functioncalling"],
  "phi4-mini": ["phi4-mini:3.8b", "microsoft/Phi-4-mini-instruct"],
  "command-r": [
    "command-r7b:7b",
    "cohere/command-a",
    "cohere.command-r-plus-v1:0",
    "CohereLabs/c4ai-command-r7b-12-2024",
    "CohereLabs/command-a-plus-05-2026-fp8",
  ],
  "minimax-m3": ["MiniMaxAI/MiniMax-M3", "minimax/minimax-m3", "nvidia/MiniMax-M3-NVFP4", "minimax-m3:cloud"],
  "minimax-m2": ["minimax/minimax-m2", "MiniMaxAI/MiniMax-M2.1", "minimax.minimax-m2"],
  "seed-oss": ["ByteDance-Seed/Seed-OSS-36B-Instruct"],
  functionary: ["meetkai/functionary-small-v3.2-GGUF"],
  "hunyuan-a13b": ["tencent/Hunyuan-A13B-Instruct", "tencent/hunyuan-a13b-instruct:free"],
  "hunyuan-v3": ["tencent/Hy3-preview"],
  jamba: ["ai21labs/AI21-Jamba-Large-1.6", "ai21.jamba-1-5-large-v1:0"],
  internlm2: [
    "internlm2:7b",
    "internlm/internlm2_5-7b-chat",
    "internlm/internlm3-8b-instruct",
    "internlm/Intern-S1-mini",
  ],
  step3: ["stepfun-ai/step3"],
  longcat: ["meituan-longcat/LongCat-Flash-Chat", "meituan/longcat-flash-chat:free"],
  apertus: ["swiss-ai/Apertus-8B-Instruct-2509"],
  minicpm3: ["openbmb/MiniCPM3-4B", "minicpm4:8b"],
  minicpm5: ["openbmb/MiniCPM5-8B"],
  gigachat3: ["ai-sage/GigaChat3-10B-A1.8B"],
  yandex: ["yandex/YandexGPT-5-Lite-8B-instruct", "gpt://folder/yandexgpt"],
  "mimo-v2": ["XiaomiMiMo/MiMo-V2-Flash", "mimo-v2.5-pro"],
  exaone4: ["LGAI-EXAONE/EXAONE-4.0-32B", "exaone4.5:33b", "LGAI-EXAONE/K-EXAONE-236B-A23B"],
  mirothinker: ["miromind-ai/MiroThinker-v1.5-30B"],
  inkling: ["thinkingmachines/Inkling-NVFP4"],
  "k2-horizon": ["IFM/K2-Horizon-7B", "LLM360/K2-V3"],
  "iquest-coder": ["IQuestLab/IQuest-Coder-V2-40B", "IQuestLab/IQuest-Q1"],
  plamo3: ["pfnet/plamo-3-nict-31b-base", "plamo-3.0-prime"],
  doubao: ["doubao-1-5-pro-32k-250115", "doubao-seed-1-6"],
  "nemotron-v2": ["nvidia/NVIDIA-Nemotron-Nano-9B-v2", "nvidia/Llama-3_3-Nemotron-Super-49B-v1_5"],
  gemma4: ["gemma4:31b", "google/diffusiongemma-26B-A4B-it", "google/gemma-4-31B-it"],
  functiongemma: ["functiongemma:270m", "google/functiongemma-270m-it"],
  lfm2: ["LiquidAI/LFM2-8B-A1B", "lfm2.5-thinking:1.2b"],
  harmony: ["gpt-oss:20b", "openai/gpt-oss-120b:free", "@cf/openai/gpt-oss-20b", "openai.gpt-oss-120b-1:0"],
  clova: ["naver-hyperclovax/HyperCLOVAX-SEED-Think-14B"],
  apriel: ["ServiceNow-AI/Apriel-1.5-15b-Thinker", "ServiceNow-AI/Apriel-5B-Instruct"],
  ernie: ["baidu/ERNIE-4.5-21B-A3B-Thinking"],
  muse: ["muse-glimmer", "facebook/Muse-Glimmer"],
  olmo3: ["allenai/Olmo-3-7B-Instruct"],
  xml: [
    "llama3:8b",
    "meta-llama/Meta-Llama-3-8B-Instruct",
    "meta.llama3-8b-instruct-v1:0",
    "meta-llama/llama-3-70b-instruct",
    "codellama:7b-instruct",
    "llama2:13b",
    "gemma2:9b",
    "google/gemma-3-12b-it",
    "@cf/google/gemma-3-12b-it",
    "phi3.5:3.8b",
    "phi4:14b",
    "microsoft/phi-4",
    "mistral.mistral-7b-instruct-v0:2",
    "@cf/mistral/mistral-7b-instruct-v0.1",
    "mistralai/Mixtral-8x7B-Instruct-v0.1",
    "qwen2:7b",
    "Qwen/Qwen1.5-7B-Chat",
    "tencent/Hunyuan-4B-Instruct",
    "tencent/Hunyuan-7B-Instruct",
    "naver-hyperclovax/HyperCLOVAX-SEED-Text-Instruct-1.5B",
    "openpangu-2b",
    "naver-hyperclovax/HyperCLOVAX-SEED-Vision-Instruct-3B",
    "ibm-granite/granite-34b-code-instruct",
    "ibm-granite/granite-3b-code-instruct-2k",
    "internlm/internlm-chat-20b",
    "internlm-20b",
    "exaone-40b",
    "exaone-4b",
    "gemma-4b",
    "llama-4b",
    "minimax-m10",
    "deepseek-coder:6.7b",
    "granite-code:8b",
    "tinyllama",
    "amazon.titan-text-express-v1",
    "Llama-3-2x8B-Instruct-MoE",
    "gemma-4x2b",
    "dolphin-mistral:7b",
    "some/new-model",
    "",
  ],
};

describe("protocolForModel", () => {
  const cases = Object.entries(models).flatMap(([protocol, ids]) => ids.map((id) => [id, protocol] as const));
  it.each(cases)("knows %s", (id, protocol) => {
    expect(protocolForModel(id)).toBe(protocol);
    expect(knownProtocol(id)).toBe(protocol === "xml" ? undefined : protocol);
  });

  it.each(cases)("knows %s in the spellings of other registries", (id, protocol) => {
    const name = id.split("/").at(-1) ?? "";
    const file = name.replaceAll(":", "-");
    const dotless = name.replace(/(?<=\d)\.(?=\d)/g, "p");
    for (const spelling of [
      `accounts/fireworks/models/${dotless}`,
      `bartowski/maker_${file}-GGUF`,
      `C:\\models\\${file}.gguf`,
    ])
      expect([spelling, protocolForModel(spelling)]).toEqual([spelling, protocol]);
  });

  it("cannot be asked for anything but an id", () => {
    expect(() => knownProtocol(undefined as never)).toThrow(
      'A model id is a string such as "qwen3:8b", not undefined.',
    );
  });

  // Names of families with a number in some of their formats' patterns, and of versions.
  const names = [
    ...["qwen", "granite", "gemma", "llama", "glm", "hunyuan", "hy", "exaone", "internlm", "minicpm", "olmo", "lfm"],
    ...[
      "openpangu",
      "solar-open",
      "gigachat",
      "ling",
      "ring",
      "mellum",
      "spark",
      "step",
      "plamo",
      "ernie",
      "smollm",
      "mistral-small",
    ],
    ...["ministral", "mistral-large", "command", "nanbeige", "deepseek", "phi"],
    ...["qwen1.5", "qwen2", "qwen2.5", "qwen3", "deepseek-v3", "deepseek-v4", "glm-4", "granite-3.1", "granite-4.0"],
    ...["llama-3", "llama-3.1", "llama-4", "gigachat3", "step-3", "hunyuan-v3", "minimax-m1", "internlm2", "kimi-k2"],
  ];
  const size = fc.oneof(
    fc.integer({ min: 1, max: 999 }),
    fc.tuple(fc.nat(99), fc.integer({ min: 1, max: 9 })).map(([whole, tenth]) => `${whole}.${tenth}`),
  );
  const separator = fc.constantFrom("-", ":");
  const more = fc.constantFrom("", "-chat", "-instruct-2k");
  it("is the same beside any size", () => {
    fc.assert(
      fc.property(fc.constantFrom(...names), separator, size, more, (name, between, billions, after) => {
        expect(protocolForModel(`${name}${between}${billions}b${after}`)).toBe(protocolForModel(name));
      }),
      { numRuns: 2000 },
    );
  });
});

describe("the registry", () => {
  it.each(Object.entries(protocols))("has %s under its own name", (name, protocol) => {
    expect(protocol.name).toBe(name);
    expect(getProtocol(protocol.name as keyof typeof protocols)).toBe(protocol);
  });
});
