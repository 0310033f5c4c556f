/** The bundle of the interactive reference, as a module of its package. */
export const REDOC = 'redoc/bundles/redoc.standalone.js';

/** Redoc loads its maker's logo from a CDN; our pages load nothing from other hosts. */
const FOREIGN_LOGO = 'https://cdn.redoc.ly/redoc/logo-mini.svg';
const NO_LOGO = 'data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22/%3E';

/** The bundle as we serve it, and as its hash in the pages is made of it. */
export const withoutForeignLogo = (bundle: string): string => bundle.replaceAll(FOREIGN_LOGO, NO_LOGO);
