import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';

const SLOW_MILLISECONDS = 5000;
const NO_REASON = 'no reason given';

/**
 * A vitest reporter that writes `{ passed, failed, skipped: [{ name, reason }] }` to a file and prints, at the end,
 * each skipped test with its reason and each slow one. What fails outside a test (a file that does not load, an
 * error that nobody caught) counts as one failed test, so that no failure hides behind a count of 0.
 */
export class CountsReporter {
  #file;
  #vitest;

  constructor(file) {
    this.#file = file;
  }

  onInit(vitest) {
    this.#vitest = vitest;
  }

  onTestRunEnd(modules, unhandledErrors) {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const counts = {
      passed: tests.filter((test) => test.result().state === 'passed').length,
      failed: tests.filter((test) => test.result().state === 'failed').length + failuresOutside(modules, unhandledErrors),
      skipped: this.#skipped(tests),
    };
    writeCounts(this.#file, counts);
    const { logger } = this.#vitest;
    for (const line of summary(counts.skipped, tests.filter(isSlow).map((test) => nameOf(test)))) logger.log(line);
  }

  /** With a filter by name, everything that was not asked for is skipped too; that is no skip to report. */
  #skipped(tests) {
    const isFiltered = this.#vitest.config.testNamePattern !== undefined;
    return tests
      .filter((test) => test.result().state === 'skipped')
      .map((test) => ({ name: nameOf(test), reason: test.result().note ?? NO_REASON }))
      .filter(({ reason }) => !isFiltered || reason !== NO_REASON);
  }
}

function failuresOutside(modules, unhandledErrors) {
  const suites = modules.flatMap((module) => [module, ...module.children.allSuites()]);
  return unhandledErrors.length + suites.filter((suite) => suite.errors().length > 0).length;
}

function nameOf(test) {
  return `${relative(process.cwd(), test.module.moduleId)}: ${test.fullName}`;
}

function isSlow(test) {
  return (test.diagnostic()?.duration ?? 0) > SLOW_MILLISECONDS;
}

function* summary(skipped, slow) {
  if (slow.length > 0) yield `\nSlower than ${SLOW_MILLISECONDS / 1000} s; the test says why:`;
  for (const name of slow) yield `  ${name}`;
  if (skipped.length > 0) yield '\nSkipped:';
  for (const { name, reason } of skipped) yield `  ${name}: ${reason}`;
}

/** A reader sees whole counts or none. */
function writeCounts(file, counts) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.next`, `${JSON.stringify(counts, undefined, 2)}\n`);
  renameSync(`${file}.next`, file);
}
