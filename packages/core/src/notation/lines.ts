/** Whether a line is more than white space. */
export const isFilled = (line: string): boolean => line.trim() !== "";

/** The number of spaces before the text of a line. */
export const indentOf = (line: string): number => line.search(/[^ ]|$/);
