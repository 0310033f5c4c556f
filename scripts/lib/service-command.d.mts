export const serviceCommand: readonly string[];
export const compileCache: string;
