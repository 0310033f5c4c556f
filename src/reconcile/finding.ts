/** One thing that is wrong: the rule that it breaks, the row that breaks it, and how. */
export type Finding = { readonly rule: string; readonly subject: string; readonly message: string };
