import { ConfigError, loadConfig } from '@fiado/chassis/config';
import { testKeyVariables } from '@fiado/chassis/testing/process-keys';
import { NotifierConfig } from './config';

const SANDBOX = {
  DATABASE_URL: 'postgres://owner:secret@127.0.0.1:5432/fiado',
  ...testKeyVariables('notifier'),
  ENCRYPTION_KEY: 'encryption-key-0123456789-0123456789',
};
const PRODUCTION = {
  ...SANDBOX,
  FIADO_MODE: 'production',
  DATABASE_URL: 'postgres://owner:9b3e60d7f28c41a5@127.0.0.1:5432/fiado',
  PUBLIC_URL: 'https://fiado.test',
  LENDER_NAME: 'Financiera del Barrio',
  SUPPORT_PHONE: '55 1234 5678',
};
const TWILIO = {
  SMS_PROVIDER: 'twilio',
  TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
  TWILIO_AUTH_TOKEN: 'token',
  TWILIO_FROM: '+525500000000',
};

function problemsOf(env: Record<string, string | undefined>): string[] {
  try {
    loadConfig(NotifierConfig, env);
    return [];
  } catch (error) {
    return (error as ConfigError).problems.map((problem) => problem.split(':')[0] ?? '');
  }
}

describe('NotifierConfig', () => {
  test('a sandbox needs no provider', () => {
    expect(loadConfig(NotifierConfig, SANDBOX)).toMatchObject({
      NOTIFIER_PORT: 3004,
      PHONE_REGION: 'MX',
      SMS_PROVIDER: 'console',
    });
  });

  test('production refuses the console and names SMS_PROVIDER', () => {
    expect(problemsOf(PRODUCTION)).toEqual(['SMS_PROVIDER']);
    expect(problemsOf({ ...PRODUCTION, ...TWILIO })).toEqual([]);
    const { LENDER_NAME: _name, SUPPORT_PHONE: _phone, ...nameless } = { ...PRODUCTION, ...TWILIO };
    expect(problemsOf(nameless)).toEqual(['LENDER_NAME', 'SUPPORT_PHONE']);
  });

  test('twilio needs its account, its token and a sender', () => {
    expect(problemsOf({ ...SANDBOX, SMS_PROVIDER: 'twilio' })).toEqual([
      'TWILIO_ACCOUNT_SID',
      'TWILIO_AUTH_TOKEN',
      'TWILIO_FROM',
    ]);
  });

  test('a messaging service replaces a sending number', () => {
    const { TWILIO_FROM: _unset, ...withoutFrom } = TWILIO;
    const service = { TWILIO_MESSAGING_SERVICE_SID: `MG${'a'.repeat(32)}` };
    expect(problemsOf({ ...SANDBOX, ...withoutFrom, ...service })).toEqual([]);
  });

  const SID = `HX${'0'.repeat(32)}`;
  test.each([
    [
      { WHATSAPP_FROM: '+525500000000', WHATSAPP_TEMPLATES: `delivered:${SID},payment-due:${SID}` },
      [],
    ],
    [{ WHATSAPP_FROM: `MG${'a'.repeat(32)}`, WHATSAPP_TEMPLATES: `delivered:${SID}` }, []],
    [{ WHATSAPP_FROM: '+525500000000' }, ['must name templates, with WHATSAPP_FROM']],
    [
      { WHATSAPP_TEMPLATES: `delivered:${SID}` },
      [expect.stringContaining('with WHATSAPP_TEMPLATES')],
    ],
    [
      { WHATSAPP_FROM: '+525500000000', WHATSAPP_TEMPLATES: `order-code:${SID}` },
      ['names order-code, which goes by SMS only'],
    ],
    [
      { WHATSAPP_FROM: '+525500000000', WHATSAPP_TEMPLATES: `welcome:${SID}` },
      ['names welcome, and there is no such kind of message'],
    ],
    [
      { WHATSAPP_FROM: '+525500000000', WHATSAPP_TEMPLATES: 'delivered:HX1' },
      ['must have HX and 32 hexadecimal digits after delivered:'],
    ],
  ])('WhatsApp needs its sender and its templates, without a secret: %j', (env, told) => {
    let problems: string[] = [];
    try {
      loadConfig(NotifierConfig, { ...SANDBOX, ...env });
    } catch (error) {
      problems = (error as ConfigError).problems;
    }
    expect(problems.map((problem) => problem.replace(/^\w+: /, ''))).toEqual(told);
  });

  test.each([
    ['NOTIFIER_PORT', 'http'],
    ['NOTIFIER_PORT', '70000'],
    ['PHONE_REGION', 'Mexico'],
    ['SMS_PROVIDER', 'pigeon'],
    ['PUBLIC_URL', 'fiado.example'],
    ['TWILIO_ACCOUNT_SID', 'SK123'],
    ['TWILIO_FROM', 'not a sender at all'],
    ['TWILIO_API_BASE_URL', 'api'],
    ['SMS_PER_PHONE_PER_DAY', '0'],
    ['SMS_PER_WHOLESALER_PER_MINUTE', 'many'],
    ['SMS_COUNTRIES', '+52'],
    ['SMS_COUNTRIES', '52,'],
  ])('a bad %s (%s) is refused by its name', (name, value) => {
    expect(problemsOf({ ...SANDBOX, ...TWILIO, [name]: value })).toEqual([name]);
  });
});
