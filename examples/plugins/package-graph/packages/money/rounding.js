export const rounded = (cents) => Math.round(cents);
