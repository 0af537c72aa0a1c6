import { useChat } from "@ai-sdk/react";
import { DefaultChatTransport, lastAssistantMessageIsCompleteWithApprovalResponses } from "ai";
import { useState } from "react";
import { createRoot } from "react-dom/client";

/** What to ask first. A model this small calls a tool only if it is chosen. */
const examples = [
  { tool: "clock", text: "Use the clock for America/New_York." },
  { tool: "note", text: "Write a note: buy milk tomorrow." },
];

function Chat() {
  const { messages, sendMessage, addToolApprovalResponse, status, error } = useChat({
    transport: new DefaultChatTransport({ api: "/api/chat" }),
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  });
  const [text, setText] = useState("");
  const [tool, setTool] = useState("");
  const ask = (text, tool) => sendMessage({ text }, { body: tool === "" ? {} : { tool } });
  const send = (event) => {
    event.preventDefault();
    ask(text, tool);
    setText("");
  };
  const decide = (id, approved) => addToolApprovalResponse({ id, approved });
  // A call that waits for its click must have a result before the next message.
  const waits = messages.at(-1)?.parts.some(({ state }) => state === "approval-requested");
  const isBusy = status === "submitted" || status === "streaming" || waits;
  return (
    <>
      {messages.map(({ id, role, parts }) => (
        <section key={id} className={role}>
          {parts.map((part, i) => (
            // Parts are only added at the end.
            // biome-ignore lint/suspicious/noArrayIndexKey: they have no other.
            <Part key={i} part={part} decide={decide} />
          ))}
        </section>
      ))}
      {error && <p role="alert">{error.message}</p>}
      <p className="examples">
        {examples.map((example) => (
          <button key={example.tool} type="button" disabled={isBusy} onClick={() => ask(example.text, example.tool)}>
            {example.text} <small>calls {example.tool}</small>
          </button>
        ))}
      </p>
      <form onSubmit={send}>
        <input value={text} onChange={({ target }) => setText(target.value)} placeholder="Say something" />
        <select value={tool} onChange={({ target }) => setTool(target.value)} aria-label="Tool">
          <option value="">any tool, or none</option>
          <option>clock</option>
          <option>note</option>
        </select>
        <button type="submit" disabled={isBusy || text === ""}>
          Send
        </button>
      </form>
    </>
  );
}

/** Text, or a call with its arguments as they are written. */
function Part({ part, decide }) {
  if (part.type === "text") return <p>{part.text}</p>;
  if (!part.type.startsWith("tool-")) return null;
  const { state, input, output, errorText, approval } = part;
  return (
    <div className="tool" data-state={state}>
      <strong>{part.type.slice("tool-".length)}</strong>
      <pre>{JSON.stringify(input, null, 2)}</pre>
      {state === "approval-requested" && (
        <>
          <button type="button" onClick={() => decide(approval.id, true)}>
            Allow
          </button>
          <button type="button" onClick={() => decide(approval.id, false)}>
            Deny
          </button>
        </>
      )}
      {output !== undefined && <pre className="output">{String(output)}</pre>}
      {state === "output-denied" && <p>denied</p>}
      {errorText && <pre role="alert">{errorText}</pre>}
    </div>
  );
}

createRoot(document.getElementById("chat")).render(<Chat />);
