import { didYouMean } from '../../../../kernel/text/index.ts';
import type { Variable } from '../ast.ts';
import type { Run } from './run.ts';
import { namesIn, variableIn, type Scope } from './scope.ts';
import type { Value } from './value.ts';

export function evaluateVariable(node: Variable, scope: Scope, run: Run): Value {
  const value = variableIn(scope, node.name);
  if (value !== undefined) return value;
  const hint = didYouMean(node.name, namesIn(scope, 'variables'));
  return run.fail(node, {
    summary: 'Unknown variable',
    detail: `there is no variable named ${JSON.stringify(node.name)}${hint}`,
  });
}
