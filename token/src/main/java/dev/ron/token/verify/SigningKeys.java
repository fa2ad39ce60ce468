package dev.ron.token.verify;

import dev.ron.token.crypto.Ed25519Key;
import dev.ron.token.crypto.MlDsaKey;
import org.jspecify.annotations.Nullable;

/** The issuer keys a root must have been signed with. */
record SigningKeys(Ed25519Key root, @Nullable MlDsaKey pq) {}
