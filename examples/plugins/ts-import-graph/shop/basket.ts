import { rounded } from '../money/rounding.js';

export const total = (prices: readonly number[]): number => rounded(prices.reduce((sum, price) => sum + price, 0));
