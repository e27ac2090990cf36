export const rounded = (cents: number): number => Math.round(cents);
