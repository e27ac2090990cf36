/**
 * Which rules of the references are proved by a test: `node tools/conformance.mjs`.
 *
 * Rules stand in `test/conformance/<system>/rules.json`; a test beside them names in its title the ids it proves:
 * `test('[bach-one, bach-two] what it shows', …)`. Ends with 1 when a rule of a closed part is not proved, or an id is
 * unknown, used twice or not well formed.
 */
import { checkConformance } from './conformance/check.mjs';
import { reportText } from './conformance/report.mjs';
import { ROOT } from './setup/host.mjs';

const report = checkConformance(ROOT);
process.stdout.write(reportText(report));
process.exitCode = report.problems.length === 0 ? 0 : 1;
