import { buildFailingHosts } from '../../test/failing-hosts/build-failing-hosts.ts';
import { testAnswers } from '../../test/failing-hosts/test-answers.ts';

const service = await buildFailingHosts();
testAnswers(service);
