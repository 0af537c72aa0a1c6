// A disk of text files and pictures.
import { oneNamed, text, tool } from "./world.mjs";

// Two files may differ in the case of their names only; here none do.
const pathOf = ({ files }, path) => {
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  const near = Object.keys(files).filter((one) => one.startsWith(folder));
  return oneNamed("file", near, path);
};
const checkNew = ({ files }, path) => {
  if (!path.startsWith("/")) throw new Error(`"${path}" is no whole path: it begins with a slash.`);
  if (Object.hasOwn(files, path)) throw new Error(`There is a file ${path} already. Nothing was changed.`);
};

const path = text("such as /notes/todo.txt");

export const files = {
  start: {
    files: {
      "/notes/todo.txt": "milk and stamps",
      "/notes/ideas.txt": "build a boat",
      "/photos/IMG_0417.jpg": "(a cat on a sofa)",
      "/drafts/letter.txt": "Dear Sam,",
      "/backup/todo.txt": "water the plants",
    },
  },
  tools: {
    list_files: tool(
      "The paths of all files in a folder",
      { folder: text("such as /notes") },
      ({ files }, { folder }) => Object.keys(files).filter((one) => one.startsWith(`${folder.replace(/\/$/, "")}/`)),
    ),
    read_file: tool("The text of a file", { path }, (disk, { path }) => disk.files[pathOf(disk, path)]),
    write_file: tool("Writes a new file", { path, content: text() }, (disk, { path, content }) => {
      checkNew(disk, path);
      disk.files[path] = content;
    }),
    move_file: tool("Moves or renames a file", { from: path, to: path }, (disk, { from, to }) => {
      checkNew(disk, to);
      const path = pathOf(disk, from);
      disk.files[to] = disk.files[path];
      delete disk.files[path];
    }),
    delete_file: tool("Deletes a file", { path }, (disk, { path }) => {
      delete disk.files[pathOf(disk, path)];
    }),
  },
  scenarios: [
    {
      level: 1,
      tools: ["delete_file"],
      turns: [
        ["Delete /drafts/letter.txt.", ["delete_file", { path: "/drafts/letter.txt" }]],
        ["Delete /notes/ideas.txt as well.", ["delete_file", { path: "/notes/ideas.txt" }]],
      ],
    },
    {
      level: 1,
      tools: ["write_file"],
      turns: [
        [
          "Write the text “closed on Monday” into a new file /sign.txt.",
          ["write_file", { path: "/sign.txt", content: "closed on Monday" }],
        ],
        ["Perfect, thank you."],
      ],
    },
    {
      level: 2,
      tools: ["list_files", "move_file", "delete_file"],
      turns: [
        ["Which files are in /photos?", ["list_files", { folder: "/photos" }]],
        ["Rename it to /photos/cat.jpg.", ["move_file", { from: "/photos/IMG_0417.jpg", to: "/photos/cat.jpg" }]],
      ],
    },
    {
      level: 2,
      tools: ["list_files", "read_file", "write_file"],
      turns: [
        ["What does /notes/todo.txt say?", ["read_file", { path: "/notes/todo.txt" }]],
        [
          "Write the same text into /notes/shopping.txt.",
          ["write_file", { path: "/notes/shopping.txt", content: "milk and stamps" }],
        ],
      ],
    },
    {
      level: 3,
      tools: ["list_files", "read_file", "move_file", "delete_file"],
      turns: [
        [
          "Move /notes/todo.txt into /backup. If there is a file of that name already, call it /backup/todo-2.txt.",
          ["move_file", { from: "/notes/todo.txt", to: "/backup/todo.txt" }],
          ["move_file", { from: "/notes/todo.txt", to: "/backup/todo-2.txt" }],
        ],
        ["What does the older one say?", ["read_file", { path: "/backup/todo.txt" }]],
        ["I have done that. Delete it.", ["delete_file", { path: "/backup/todo.txt" }]],
      ],
    },
    {
      level: 3,
      tools: ["list_files", "read_file", "write_file", "move_file", "delete_file"],
      turns: [
        [
          "Move everything in /notes into /archive, and keep the names.",
          ["list_files", { folder: "/notes" }],
          ["move_file", { from: "/notes/todo.txt", to: "/archive/todo.txt" }],
          ["move_file", { from: "/notes/ideas.txt", to: "/archive/ideas.txt" }],
        ],
        ["Is anything left in /notes?"],
        [
          "Delete /drafts/letter.doc. It may have another ending.",
          ["delete_file", { path: "/drafts/letter.doc" }],
          ["delete_file", { path: "/drafts/letter.txt" }],
        ],
      ],
    },
  ],
};
