/** What is proved, what is not, and what must be put right, as text. */
export function reportText({ parts, problems }) {
  const lines = parts.flatMap(({ system, part, rules, notProved }) => [
    `${system} part ${part}: ${rules} rules, ${rules - notProved.length} proved`,
    ...notProved.map(({ id, where, rule }) => `  not proved: ${id} (${where}): ${rule}`),
  ]);
  const verdict = problems.length === 0 ? [] : ['', ...problems];
  return `${[...lines, ...verdict].join('\n')}\n`;
}
