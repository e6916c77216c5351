"""Imports the manifests of parcel carriers."""
