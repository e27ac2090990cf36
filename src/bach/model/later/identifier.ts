import type { Section } from './section.ts';

/** Factories and what is in them are named in paths, branches and phases such as `deploy.production`. */
const IDENTIFIER = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/;

/** Reports a block whose label is no identifier. */
export function checkIdentifier(section: Section): void {
  const label = section.block.labels[0];
  if (label === undefined || IDENTIFIER.test(label.value)) return;
  section.fault(label, 'name must be a simple identifier: letters, digits, _, ., and -, beginning with a letter, a digit or _');
}
