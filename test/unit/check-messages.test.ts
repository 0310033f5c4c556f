import { expect, test } from 'vitest';
import { findMessageFaults } from '../../scripts/checks/messages.ts';

const FOLDER = 'src/checkout/pages';
const ENGLISH = {
  hello: 'Hello {name}',
  items: '{count, plural, one {# item} other {# items}}',
  'script.wait': 'Wait {minutes}',
};
const USES = [
  { path: `${FOLDER}/view.ts`, text: "say('hello', { name }) + say(one ? 'items' : 'hello')" },
  { path: `${FOLDER}/assets/page.js`, text: "say('wait', { minutes })" },
];
const messages = (language: string, texts: object) => ({
  path: `${FOLDER}/messages/${language}.json`,
  text: JSON.stringify(texts, null, 2),
});
const faults = (french: object, english: object = ENGLISH, uses = USES) =>
  findMessageFaults([messages('en', english), messages('fr', french), ...uses]).map(
    ({ path, line, message }) => `${path.slice(FOLDER.length + 1)}:${line}: ${message}`,
  );
const FRENCH = {
  hello: 'Bonjour {name}',
  items: '{count, plural, one {# objet} many {# objets} other {# objets}}',
  'script.wait': 'Attendez {minutes}',
};

test('messages that are in every language, with the same arguments, and used, are fine', () => {
  expect(faults(FRENCH)).toEqual([]);
});

test('a translation that is missing, superfluous, broken or of other arguments is refused where it stands', () => {
  const { hello: _hello, ...others } = FRENCH;
  expect(faults(others)).toEqual(['messages/fr.json:1: "hello" is missing.']);
  expect(faults({ ...FRENCH, bye: 'Au revoir' })).toEqual(['messages/fr.json:5: "bye" is not in en.json.']);
  expect(faults({ ...FRENCH, items: '{count, plural, one {# objet}}' })).toEqual([
    expect.stringMatching(/^messages\/fr\.json:3: "items" is no ICU MessageFormat: /),
  ]);
  expect(faults({ ...FRENCH, hello: 'Bonjour {nom}' })).toEqual([
    'messages/fr.json:2: "hello" has the arguments (nom), and in English (name).',
  ]);
  const plural = { 'script.wait': '{minutes, plural, one {Attendez} other {Attendez bien}}' };
  expect(faults({ ...FRENCH, ...plural })).toEqual([
    'messages/fr.json:4: "script.wait" is of scripts, which know no plurals and choices.',
  ]);
});

test('a message that nothing says is refused, and a name that no message has', () => {
  const more = { bye: 'Bye', 'script.bye': 'Bye' };
  expect(faults({ ...FRENCH, ...more }, { ...ENGLISH, ...more })).toEqual([
    'messages/en.json:5: "bye" is used nowhere in src/checkout/pages/. Delete it in every language.',
    'messages/en.json:6: "script.bye" is used nowhere in src/checkout/pages/. Delete it in every language.',
  ]);
  const uses = [
    ...USES,
    { path: `${FOLDER}/templates/a.eta`, text: "\n<%= say('helo') %>" },
    { path: `${FOLDER}/assets/b.js`, text: "say('hello')" },
  ];
  expect(faults(FRENCH, ENGLISH, uses)).toEqual([
    'templates/a.eta:2: there is no message "helo".',
    'assets/b.js:1: there is no message "script.hello".',
  ]);
});
