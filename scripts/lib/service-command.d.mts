export const serviceFlags: string[];
export const serviceCommand: readonly string[];
export function serviceCommandIn(root: string): readonly string[];
export const compileCache: string;
export const serviceEnv: {
  readonly NODE_COMPILE_CACHE: string;
  readonly MALLOC_MMAP_THRESHOLD_: string;
  readonly MALLOC_ARENA_MAX: string;
};
