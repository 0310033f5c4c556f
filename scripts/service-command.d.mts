export const serviceCommand: readonly string[];
