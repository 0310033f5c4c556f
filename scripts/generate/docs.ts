/**
 * Writes docs/: the documentation site as the service serves it, made of the contract and its guides. The last step,
 * because it shows the samples. Usage: node scripts/generate/docs.ts [folder]
 */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { JsonMap } from '../contract/outline.ts';
import { makeAssets } from './docs/assets.ts';
import { inLines, operationsOf, partOf } from './docs/contract.ts';
import { guidePage } from './docs/guide-page.ts';
import { homePage, missingPage, operatorsPage } from './docs/home-pages.ts';
import { readLibrary, withGuideLinks } from './docs/library.ts';
import { allPage, referencePage } from './docs/list-pages.ts';
import { llmsFullText, llmsText, referenceText } from './docs/llms.ts';
import { operationMarkdown } from './docs/operation.ts';
import { searchIndex } from './docs/search-index.ts';

const target = process.argv[2] ?? 'generated';
const folder = join(target, 'docs');
const contract = JSON.parse(await readFile(join(target, 'openapi.json'), 'utf8')) as JsonMap;
const files = await makeSite(contract);
await rm(folder, { recursive: true, force: true });
for (const [path, text] of files) {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
}

/** Every file of the site, by its path. */
async function makeSite(whole: JsonMap): Promise<Map<string, string>> {
  const library = await readLibrary(whole);
  const { urls, files: assets } = await makeAssets(searchIndex(library));
  const frame = { library, assets: urls };
  const linked = withGuideLinks(whole, library, '');
  const read = withGuideLinks(whole, library, '.md');
  return new Map([
    ...assets,
    ['index.html', homePage(frame)],
    ['operators.html', operatorsPage(frame)],
    ['all.html', allPage(frame)],
    ['missing.html', missingPage(frame)],
    ['reference.html', referencePage(frame, false)],
    ['reference/admin.html', referencePage(frame, true)],
    ['reference.md', referenceText(library, false)],
    ['reference/admin.md', referenceText(library, true)],
    ['index.md', llmsText(library)],
    ['reference/openapi.json', inLines(partOf(linked, false))],
    ['reference/admin/openapi.json', inLines(partOf(linked, true))],
    ['llms.txt', llmsText(library)],
    ['llms-full.txt', llmsFullText(library)],
    ...library.guides.map((guide) => [`guides/${guide.name}.html`, guidePage(guide, frame)] as const),
    ...library.guides.map((guide) => [`guides/${guide.name}.md`, guide.text] as const),
    ...operationsOf(read).map((each) => [`reference/${each.id}.md`, operationMarkdown(each, read)] as const),
  ]);
}
