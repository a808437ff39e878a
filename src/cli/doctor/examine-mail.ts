import type { Config } from '../../config.ts';
import { type Finding, failure, ok } from '../../domain/finding.ts';
import { openMail } from '../../egress/mail-client.ts';

/** Whether the mail server of the settings takes mail from this service. Nothing is sent. */
export async function examineMail(config: Config): Promise<Finding> {
  const client = openMail(config);
  if (!client || !config.smtp)
    return ok(
      'mail',
      'No mail server is configured: digests are read on their page. SMTP_URL names one, beside MAIL_FROM and PUBLIC_URL.',
    );
  const { hostname, port, tls } = config.smtp;
  const place = `${hostname}:${port}`;
  try {
    await client.verify();
    return ok(
      'mail',
      `The mail server at ${place} takes mail from this service${tls === 'none' ? '' : ', by TLS'}.`,
    );
  } catch (error) {
    return failure('mail', `The mail server at ${place} does not: ${reasonOf(error)}.`, remedyOf(error, tls));
  }
}

/** On one line. Servers quote neither names nor passwords. */
const reasonOf = (error: unknown): string => {
  const { message, cause } = error instanceof Error ? error : new Error(String(error));
  const inner = cause instanceof Error ? ` (${cause.message})` : '';
  return `${message}${inner}`
    .replace(/\s+/g, ' ')
    .replace(/\.+(?=$| \()/g, '')
    .slice(0, 300);
};

function remedyOf(error: unknown, tls: string): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'EAUTH') return 'Check the name and password in SMTP_URL, each with % signs as %25.';
  if (code === 'ETLS' || /certificate|TLS/i.test(String(error)))
    return tls === 'upgrade'
      ? 'Use smtps:// where the server speaks TLS from the start, ?tls=none where it has none, or NODE_EXTRA_CA_CERTS for a certificate of your own.'
      : 'Use smtp:// where the server upgrades to TLS, or NODE_EXTRA_CA_CERTS for a certificate of your own.';
  return 'Check the name and port in SMTP_URL, and that this machine may reach it.';
}
