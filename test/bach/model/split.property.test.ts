import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Project } from '../../../src/bach/model/index.ts';
import { projectOf } from './reading.ts';

/** Blocks that name each other, in an order in which none has to come first. */
const BLOCKS = [
  'var "v" { default = "${var.w}é" }',
  'var "w" { default = "w" }',
  'env { A = "${B}${var.v}" }',
  'env { B = "b" }',
  'profile "p" {\n  env {\n    C = "${A}"\n  }\n}',
  'input "file" "all" { srcs = [input.file.one, "x"] }',
  'input "file" "one" { src = "one" }',
  'resource "r" {}',
  'plugin "g" { sources = { s = ["${A}"] } }',
  'shell "a" {\n  inputs = [input.file.all, resource.r, plugin.g.s]\n  description = shell.b.outputs.o\n}',
  'shell "b" {\n  produces = [resource.r]\n  outputs = { o = "out" }\n}',
  'group "g" { targets = [shell.a, image.i] }',
  'image "i" { tags = ["${var.v}"] }',
  'alias "old" { target = group.g }',
  '# import "nothing"\nshell "text" {\n  shell = <<EOT\nimport "nothing"\nEOT\n}',
];

/** Each block in the file that `places` says, `0` for the Bachfile itself; files import each other where they are first needed. */
function split(places: readonly number[]): { readonly text: string; readonly files: Record<string, string> } {
  const texts = new Map<number, string[]>([[0, []]]);
  for (const [index, place] of places.entries()) {
    if (!texts.has(place)) {
      texts.set(place, []);
      // Imported by the file that got the block before, which stands somewhere below the Bachfile.
      texts.get(places[index - 1] ?? 0)?.push(`import "./f${place}.bach"`);
    }
    texts.get(place)?.push(BLOCKS[index] ?? '');
  }
  const files = Object.fromEntries([...texts].map(([place, lines]) => [`f${place}.bach`, `${lines.join('\n')}\n`]));
  return { text: files['f0.bach'] ?? '', files };
}

function meaning({ targets, ...project }: Project): unknown {
  const withoutPlaces = [...targets.values()].map((target) => ({ ...target, range: undefined, file: undefined }));
  return { ...project, targets: withoutPlaces.toSorted((a, b) => (a.name < b.name ? -1 : 1)) };
}

const facts = { profiles: ['p'], environment: { HOME: '/h' } };

test('a Bachfile means the same however it is divided into imported files', () => {
  const whole = meaning(projectOf(BLOCKS.join('\n'), facts));
  const places = fc.array(fc.nat(4), { minLength: BLOCKS.length, maxLength: BLOCKS.length });
  fc.assert(
    fc.property(places, (chosen) => {
      const { text, files } = split(chosen);
      expect(meaning(projectOf(text, { ...facts, files }))).toEqual(whole);
    }),
    { numRuns: 60 },
  );
});

test('the place of each target is where its text stands, in whichever file', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(4), { minLength: BLOCKS.length, maxLength: BLOCKS.length }), (chosen) => {
      const { text, files } = split(chosen);
      const { targets } = projectOf(text, { ...facts, files });
      for (const { name, file, range } of targets.values()) {
        const source = file === 'Bachfile' ? `project "p" {}\n${text}` : (files[file] ?? '');
        const [kind = '', label = ''] = name.split('/');
        expect(Buffer.from(source).subarray(range.start.byte, range.end.byte).toString()).toBe(`${kind} "${label}"`);
      }
    }),
    { numRuns: 60 },
  );
});
