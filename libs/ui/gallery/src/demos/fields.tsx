import { FileButton, FileDrop, SelectField, SignaturePad, TextArea, TextField } from '@karaar/ui';
import { AmountField, AmountForm } from '@karaar/ui/amounts';
import {
  Checkbox,
  CodeField,
  DateField,
  OtpField,
  PasswordField,
  PhoneField,
  SearchField,
  SegmentedControl,
  Switch,
} from '@karaar/ui/fields';
import { Suspense, useState, type ReactNode } from 'react';
import { entry, wide, type Group } from '../gallery.ts';

/** Holds a demo's value, so that the part is interactive. */
function Live<V>({
  value,
  children,
}: {
  value: V;
  children: (value: V, set: (value: V) => void) => ReactNode;
}) {
  const [now, set] = useState(value);
  return children(now, set);
}

const nothing = () => undefined;
const languages = [
  { value: 'all', label: 'All' },
  { value: 'open', label: 'Open' },
  { value: 'sealed', label: 'Sealed' },
];

export const fields: Group = {
  title: 'Fields',
  entries: [
    entry('TextField', 'One line of text with its label, a hint or what is wrong.', {
      empty: <TextField label="Document name" placeholder="Rent agreement" />,
      hint: <TextField label="Location" required={false} hint="Where the agreement applies." />,
      error: <TextField label="Document name" error="Please enter a document name" defaultValue="" />,
      code: <TextField label="User ID" code defaultValue="7K2M9QXA" />,
      disabled: <TextField label="Phone" disabled defaultValue="+91 98765 43210" />,
    }),
    entry('PhoneField', 'The fixed +91 and 10 digits; what a paste brings along is dropped.', {
      filled: (
        <Live value="9876543210">
          {(value, set) => <PhoneField label="Phone number" value={value} onChange={set} />}
        </Live>
      ),
      error: (
        <PhoneField
          label="Phone number"
          value="98765"
          onChange={nothing}
          error="Enter a valid 10-digit phone number"
        />
      ),
    }),
    entry('AmountField', 'Rupees as people type them: ₹500, 1,00,000, 500/- or ५००.', {
      filled: (
        <Live value="1,00,000">
          {(value, set) => <AmountField label="Amount" value={value} onChange={set} />}
        </Live>
      ),
    }),
    entry('AmountForm', 'One amount in rupees and what is done with it.', {
      part: (
        <AmountForm
          label="New daily rate"
          action="Save Changes"
          busy={false}
          initial={2.5}
          onAmount={async () => undefined}
          onRefused={() => undefined}
        />
      ),
    }),
    entry('CodeField', 'A document code or user ID: capitals, also pasted as it is shown, in two groups.', {
      part: (
        <Live value="7K3MQX9A">
          {(value, set) => <CodeField label="Document code" value={value} onChange={set} />}
        </Live>
      ),
    }),
    entry('OtpField', 'A one-time code: one input drawn as cells; paste and autofill take the whole code.', {
      part: <Live value="K7M">{(value, set) => <OtpField label="OTP" value={value} onChange={set} />}</Live>,
      error: (
        <OtpField
          label="OTP"
          value="K7MP2Q"
          onChange={nothing}
          error="This code has expired. Send a new one."
        />
      ),
    }),
    entry('PasswordField', 'A password with a look at what was typed.', {
      filled: <PasswordField label="Password" defaultValue="correct horse" />,
    }),
    entry('SearchField', 'A search with a button that empties it.', {
      filled: (
        <Live value="Asha">
          {(value, set) => (
            <SearchField label="Search by name, email or phone" value={value} onChange={set} />
          )}
        </Live>
      ),
    }),
    entry('DateField', 'A day as it is written in India, typed or chosen in a calendar.', {
      filled: (
        <Live value="2026-11-21">
          {(value, set) => <DateField label="Start date" value={value} onChange={set} />}
        </Live>
      ),
      empty: <DateField label="End date" value="" onChange={nothing} required={false} />,
    }),
    entry('SelectField', "One of several, by the device's own picker.", {
      empty: (
        <SelectField
          label="ID type"
          placeholder="Choose one"
          options={['Aadhar', 'PAN', 'Passport'].map((value) => ({ value, label: value }))}
        />
      ),
    }),
    entry('TextArea', 'Several lines of text.', {
      filled: (
        <TextArea label="Description" defaultValue={'11 months, from 1 December.\nDeposit of two months.'} />
      ),
    }),
    entry('Checkbox', 'Agree or not; the whole line can be pressed.', {
      off: (
        <Live value={false}>
          {(value, set) => <Checkbox label="I agree to the terms" checked={value} onChange={set} />}
        </Live>
      ),
      on: (
        <Checkbox
          label="Include page details"
          hint="They become a page of their own."
          checked
          onChange={nothing}
        />
      ),
      disabled: <Checkbox label="Locked" checked disabled onChange={nothing} />,
    }),
    entry('Switch', 'On or off, in effect at once.', {
      on: (
        <Live value={true as boolean}>
          {(value, set) => (
            <Switch
              label="Users may change the rate"
              hint="Everybody signed in."
              checked={value}
              onChange={set}
            />
          )}
        </Live>
      ),
      off: <Switch label="Two-step sign-in" checked={false} onChange={nothing} />,
    }),
    entry('SegmentedControl', 'One of a few, all in sight.', {
      rest: (
        <Live value="all">
          {(value, set) => <SegmentedControl label="Show" options={languages} value={value} onChange={set} />}
        </Live>
      ),
    }),
    wide('FileDrop', 'Choose or drop files.', {
      rest: (
        <FileDrop
          label="Choose files or drop them here"
          hint="PDF, Word or images"
          accept="image/*"
          onFiles={nothing}
        />
      ),
    }),
    entry('FileButton', 'Asks the device for one file.', {
      rest: (
        <FileButton accept="image/*" onFile={nothing}>
          Upload from device
        </FileButton>
      ),
    }),
    wide('SignaturePad', 'Draw, type or upload a signature; always signature.png, 600 by 300, black, 2 px.', {
      draw: (
        <Suspense fallback={null}>
          <SignaturePad onChange={nothing} onEmpty={nothing} />
        </Suspense>
      ),
    }),
  ],
};
