/** Gives names that are new; passed in, so that tests know them beforehand. */
export interface IdSource {
  next(): string;
}
