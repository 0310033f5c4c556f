/** The registry that a recipe installs from. */
export type Registry = 'npm' | 'pip' | 'composer';

export type Recipe = {
  /** Its guide is `recipe-<name>`. */
  readonly name: string;
  readonly registry: Registry;
  /** The package whose version is told. */
  readonly framework: string;
  /** The programs that it needs on this machine. */
  readonly needs: readonly string[];
};

/** The shops that a server of their own opens, most used first. */
export const RECIPES: readonly Recipe[] = [
  { name: 'express', registry: 'npm', framework: 'express', needs: ['npm'] },
  { name: 'next', registry: 'npm', framework: 'next', needs: ['npm'] },
  { name: 'django', registry: 'pip', framework: 'django', needs: ['python3'] },
  { name: 'laravel', registry: 'composer', framework: 'laravel/laravel', needs: ['php', 'composer'] },
  { name: 'fastify', registry: 'npm', framework: 'fastify', needs: ['npm'] },
  { name: 'hono', registry: 'npm', framework: 'hono', needs: ['npm'] },
  { name: 'flask', registry: 'pip', framework: 'flask', needs: ['python3'] },
];

/** A plug-in for WordPress, which no registry brings: WORDPRESS_FOLDER says where it is. */
export const WOOCOMMERCE: Recipe = {
  name: 'woocommerce',
  registry: 'composer',
  framework: 'WooCommerce',
  needs: ['php', 'composer'],
};
