import { isOwnText, isWholePhone, registerFaults, withPrefix, type Fields } from './rules.ts';

describe('a phone number', () => {
  it('[AUTH-010] is whole with exactly 10 digits', () => {
    expect(['9876543210', '987654321', '98765432101', ''].map(isWholePhone)).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  it('is sent with +91', () => {
    expect(withPrefix('9876543210')).toBe('+919876543210');
  });
});

describe('a registration', () => {
  const whole: Fields = {
    name: 'Meera Nair',
    email: 'meera@example.org',
    phone_no: '9876543210',
    city: 'Kochi',
    state: 'Kerala',
    govt_id_type: 'PAN',
    govt_id_number: 'ABCDE1234F',
  };
  const given = { email: true, image: true };

  it('is accepted if each field is filled in and the number fits its kind of ID', () => {
    expect(registerFaults(whole, given)).toEqual({});
    expect(registerFaults({ ...whole, govt_id_type: 'Other', govt_id_number: '7/11' }, given)).toEqual({});
  });

  it('shows every fault at its field, all at once', () => {
    const blank = Object.fromEntries(Object.keys(whole).map((name) => [name, ''])) as Fields;
    expect(registerFaults(blank, { email: false, image: false })).toEqual({
      name: 'nameMissing',
      email: 'emailWrong',
      phone_no: 'badPhone',
      city: 'cityMissing',
      state: 'stateMissing',
      govt_id_type: 'chooseIdType',
      govt_id_number: 'idNumberMissing',
      image: 'imageMissing',
    });
    expect(registerFaults({ ...whole, name: '  ' }, given)).toEqual({ name: 'nameMissing' });
    const aadhaar = { ...whole, govt_id_type: 'Aadhar', govt_id_number: '2341 2341 2345' } as const;
    expect(registerFaults(aadhaar, given)).toEqual({ govt_id_number: 'idAadharWrong' });
    expect([isOwnText('emailWrong'), isOwnText('idAadharWrong')]).toEqual([true, false]);
  });
});
