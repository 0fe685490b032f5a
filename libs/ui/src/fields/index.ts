/** Fields for one kind of value each, built into the screens that use them. */
export { Checkbox, Switch } from './Choice.tsx';
export { CodeField } from './CodeField.tsx';
export { DateField } from './DateField.tsx';
export { OtpField } from './OtpField.tsx';
export { PasswordField } from './PasswordField.tsx';
export { PhoneField } from './PhoneField.tsx';
export { SearchField } from './SearchField.tsx';
export { SegmentedControl } from './SegmentedControl.tsx';
export { codeOnly, digitsOnly, otpOnly } from './clean.ts';
