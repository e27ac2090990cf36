export { rounded } from '@app/money';
