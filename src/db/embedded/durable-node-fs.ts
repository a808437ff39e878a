import { fdatasyncSync } from 'node:fs';
import { NodeFS } from '@electric-sql/pglite/nodefs';

type Init = NodeFS['init'];

interface EmscriptenNodeFs {
  stream_ops: { fsync?: (stream: { nfd: number }) => number };
}

/**
 * The file system of the embedded database. The one it comes with has no fsync, so that a power cut could take back
 * what was acknowledged; this one hands every fsync on to the disk.
 */
export class DurableNodeFs extends NodeFS {
  syncs = 0;

  override async init(...parameters: Parameters<Init>): ReturnType<Init> {
    const { emscriptenOpts } = await super.init(...parameters);
    const addFsync = (module: { NODEFS: EmscriptenNodeFs }): void => {
      module.NODEFS.stream_ops.fsync = (stream) => {
        fdatasyncSync(stream.nfd);
        this.syncs += 1;
        return 0;
      };
    };
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), addFsync] } };
  }
}
