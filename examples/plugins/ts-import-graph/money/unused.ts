export const unused = 0;
