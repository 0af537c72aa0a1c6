/**
 * The characters that models write before a label besides white space: emphasis, a heading, an item of a list; for a
 * regular expression class. After the `>` of a block quote, a label is quoted.
 */
export const LABEL_LEAD = "*_#-";
