/** Half-open range of UTF-16 offsets into the source; `SourceText` turns it into line, column and byte. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** One file or block body: attributes and blocks in source order. A block's body spans its braces. */
export interface Body extends Span {
  readonly attributes: readonly Attribute[];
  readonly blocks: readonly Block[];
}

export interface Attribute extends Span {
  readonly name: string;
  readonly nameSpan: Span;
  readonly expression: Expression;
}

export interface Block extends Span {
  readonly type: string;
  readonly typeSpan: Span;
  readonly labels: readonly Label[];
  readonly body: Body;
  /** Type and labels without the body: where a diagnostic about the block points. */
  readonly header: Span;
}

export interface Label extends Span {
  readonly value: string;
  readonly quoted: boolean;
}

export type Expression =
  | NumberLiteral
  | BooleanLiteral
  | NullLiteral
  | Template
  | TemplateWrap
  | Variable
  | GetAttribute
  | Index
  | Splat
  | Call
  | Conditional
  | Binary
  | Unary
  | Parentheses
  | Tuple
  | ObjectConstructor
  | For
  | Invalid;

export interface NumberLiteral extends Span {
  readonly kind: 'number';
  /** The digits as written; read with 512 bits when a value is asked for. */
  readonly text: string;
}

export interface BooleanLiteral extends Span {
  readonly kind: 'boolean';
  readonly value: boolean;
}

export interface NullLiteral extends Span {
  readonly kind: 'null';
}

/** A quoted template or a heredoc with any number of parts, also none; its value is a string. */
export interface Template extends Span {
  readonly kind: 'template';
  /** `bare` is the whole of a text that `parseTemplate` read. */
  readonly form: 'quoted' | 'heredoc' | 'bare';
  readonly parts: readonly TemplatePart[];
}

/** A quoted template that holds one interpolation and nothing else: the value itself, not its text. */
export interface TemplateWrap extends Span {
  readonly kind: 'template-wrap';
  readonly wrapped: Expression;
}

export type TemplatePart = TemplateText | TemplateInterpolation | TemplateIf | TemplateFor;

export interface TemplateText extends Span {
  readonly kind: 'text';
  /** After escapes, heredoc indentation, strip markers and normalisation. */
  readonly value: string;
}

export interface TemplateInterpolation extends Span {
  readonly kind: 'interpolation';
  readonly expression: Expression;
}

export interface TemplateIf extends Span {
  readonly kind: 'template-if';
  readonly condition: Expression;
  readonly whenTrue: readonly TemplatePart[];
  readonly whenFalse: readonly TemplatePart[];
}

export interface TemplateFor extends Span {
  readonly kind: 'template-for';
  readonly keyName: string | undefined;
  readonly valueName: string;
  readonly collection: Expression;
  readonly body: readonly TemplatePart[];
}

export interface Variable extends Span {
  readonly kind: 'variable';
  readonly name: string;
}

export interface GetAttribute extends Span {
  readonly kind: 'get-attribute';
  readonly target: Expression;
  readonly name: string;
  readonly nameSpan: Span;
}

export interface Index extends Span {
  readonly kind: 'index';
  readonly target: Expression;
  readonly key: Expression;
  /** `legacy` is the form `list.0`. */
  readonly form: 'brackets' | 'legacy';
}

/** `source.*` or `source[*]`; `each` is applied to every element, with `splat-item` standing for it. */
export interface Splat extends Span {
  readonly kind: 'splat';
  readonly form: 'attribute' | 'full';
  readonly source: Expression;
  readonly each: readonly SplatStep[];
}

export type SplatStep =
  | (Span & { readonly kind: 'attribute'; readonly name: string; readonly nameSpan: Span })
  | (Span & { readonly kind: 'index'; readonly key: Expression; readonly form: 'brackets' | 'legacy' })
  /** A splat within a splat, `a[*].b[*].c`: its `each` is applied to every element of what the steps before gave. */
  | (Span & { readonly kind: 'splat'; readonly form: 'attribute' | 'full'; readonly each: readonly SplatStep[] });

export interface Call extends Span {
  readonly kind: 'call';
  readonly name: string;
  readonly nameSpan: Span;
  readonly arguments: readonly Expression[];
  /** The last argument is followed by `...`. */
  readonly expandLast: boolean;
}

export interface Conditional extends Span {
  readonly kind: 'conditional';
  readonly condition: Expression;
  readonly whenTrue: Expression;
  readonly whenFalse: Expression;
}

export type BinaryOperator = '||' | '&&' | '==' | '!=' | '<' | '<=' | '>' | '>=' | '+' | '-' | '*' | '/' | '%';

export interface Binary extends Span {
  readonly kind: 'binary';
  readonly operator: BinaryOperator;
  readonly left: Expression;
  readonly right: Expression;
}

export interface Unary extends Span {
  readonly kind: 'unary';
  readonly operator: '-' | '!';
  readonly operand: Expression;
}

export interface Parentheses extends Span {
  readonly kind: 'parentheses';
  readonly inner: Expression;
}

export interface Tuple extends Span {
  readonly kind: 'tuple';
  readonly items: readonly Expression[];
}

export interface ObjectConstructor extends Span {
  readonly kind: 'object';
  readonly items: readonly ObjectItem[];
}

export interface ObjectItem {
  /** A bare word is a `variable` with `literalKey` true: its text is the key. `(word)` forces evaluation. */
  readonly key: Expression;
  readonly literalKey: boolean;
  readonly value: Expression;
}

export interface For extends Span {
  readonly kind: 'for';
  readonly form: 'tuple' | 'object';
  readonly keyName: string | undefined;
  readonly valueName: string;
  readonly collection: Expression;
  /** Only in the object form. */
  readonly key: Expression | undefined;
  readonly value: Expression;
  readonly condition: Expression | undefined;
  /** `...` after the value of the object form. */
  readonly grouped: boolean;
}

/** What stands where an expression could not be read; a diagnostic says why. */
export interface Invalid extends Span {
  readonly kind: 'invalid';
}
