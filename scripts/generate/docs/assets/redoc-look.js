// How Redoc looks on this site, in light and dark, and what it lacks for keyboards and screen readers.

const MONO = 'ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace';
const LIGHT = {
  page: '#ffffff',
  well: '#f5f4f0',
  ink: '#17191c',
  soft: '#5a5f66',
  line: '#e3e1d9',
  accent: '#0b6b4f',
  code: '#a1261c',
};
const DARK = {
  page: '#0f1215',
  well: '#181c21',
  ink: '#eceef0',
  soft: '#a4abb4',
  line: '#2a2f37',
  accent: '#58d5a8',
  code: '#ffb09a',
};

export const OPTIONS = {
  scrollYOffset: '.top',
  // After the samples in TypeScript, curl, Python and PHP.
  payloadSampleIdx: 4,
  // The menu, the search and the links to the contract are the site's.
  disableSearch: true,
  hideDownloadButtons: true,
  hideFab: true,
  // Descriptions say in words what a value may be.
  hideSchemaPattern: true,
  nativeScrollbars: true,
};

/** The look of the guides, in the words of Redoc. */
export function theme(isDark) {
  const { page, well, ink, soft, line, accent, code } = isDark ? DARK : LIGHT;
  return {
    colors: {
      primary: { main: accent },
      success: { main: accent },
      error: { main: code },
      text: { primary: ink, secondary: soft },
      border: { light: line, dark: line },
      gray: { 50: well, 100: well },
      // White stands on them.
      http: { get: '#0b6b4f', post: '#1d4fa8', put: '#8a2f8f', delete: '#a1261c' },
      responses: {
        success: { color: accent, backgroundColor: well },
        error: { color: code, backgroundColor: well },
      },
    },
    spacing: { unit: 4, sectionHorizontal: 20, sectionVertical: 20 },
    schema: {
      linesColor: line,
      nestedBackground: well,
      typeNameColor: soft,
      typeTitleColor: soft,
      requireLabelColor: code,
      arrow: { color: soft },
    },
    sidebar: { width: '0', backgroundColor: page, textColor: ink, arrow: { color: soft } },
    rightPanel: { width: '42%', backgroundColor: '#181c21', textColor: '#f1f2f3' },
    codeBlock: { backgroundColor: '#0d0f12' },
    typography: {
      fontSize: '16px',
      fontFamily: 'system-ui, sans-serif',
      headings: { fontFamily: 'system-ui, sans-serif', fontWeight: '600' },
      links: { color: accent, visited: accent, hover: accent },
      code: { fontFamily: MONO, fontSize: '13px', color: code, backgroundColor: well },
    },
  };
}

/** Headings follow one another without gaps, and what scrolls can be reached by the keyboard. */
export function mend(holder) {
  const look = () => {
    for (const heading of holder.querySelectorAll('h5:not([aria-level])')) {
      heading.role = 'heading';
      heading.ariaLevel = '3';
    }
    for (const code of holder.querySelectorAll('pre:not([tabindex])')) code.tabIndex = 0;
  };
  new MutationObserver(look).observe(holder, { childList: true, subtree: true });
}
