/** Fields for amounts in rupees; apart from the other fields, because few screens have one. */
export { AmountField } from './AmountField.tsx';
export { AmountForm } from './AmountForm.tsx';
