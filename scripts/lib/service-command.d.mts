export const serviceCommand: readonly string[];
export function serviceCommandIn(root: string): readonly string[];
export const compileCache: string;
