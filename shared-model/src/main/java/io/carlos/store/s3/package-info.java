/** The object store in a bucket of a server that speaks S3 and honours its conditional writes. */
@NullMarked
package io.carlos.store.s3;

import org.jspecify.annotations.NullMarked;
